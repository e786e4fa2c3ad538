/**
 * The rules of rules.ts over bytes: functions of the program in scan-program.ts, which says whether
 * a record keeps a rule beyond doubt. No is no verdict.
 *
 * Each has the start and the end of the two values it reads, twice the same where it reads one; and
 * memory to work in. The values stand in normal form but for white space, so that equal texts are
 * equal bytes.
 */
import { code, littleEndian } from './wat.ts'

const RULE = `(param $a i32) (param $aEnd i32) (param $b i32) (param $bEnd i32)
  (param $room i32) (param $roomEnd i32) (result i32)`

/** By name, as the rules give it. */
export const RULE_PROGRAMS = {
  /** `"Blog Page 029"` fits `"/blog/029"`. */
  titleSurelyFits: `
  (func $titleSurelyFits ${RULE}
    (local $initial i32) (local $byte i32)
    (if (i32.ne (i32.load8_u offset=1 (local.get $a)) (i32.const ${code('/')}))
      (then (return (i32.const 0))))
    (local.set $initial (i32.load8_u offset=2 (local.get $a)))
    (if (i32.gt_u
          (i32.sub (local.get $initial) (i32.const ${code('a')}))
          (i32.const ${code('z') - code('a')}))
      (then (return (i32.const 0))))
    (if (i32.ne
          (i32.load8_u offset=1 (local.get $b))
          (i32.sub (local.get $initial) (i32.const ${code('a') - code('A')})))
      (then (return (i32.const 0))))
    (local.set $a (i32.add (local.get $a) (i32.const 3)))
    (local.set $b (i32.add (local.get $b) (i32.const 2)))
    (loop $category
      (local.set $byte (i32.load8_u (local.get $a)))
      (if (i32.ne (local.get $byte) (i32.const ${code('/')})) (then
        (if (i32.or
              (i32.ge_u (local.get $a) (local.get $aEnd))
              (i32.ne (local.get $byte) (i32.load8_u (local.get $b))))
          (then (return (i32.const 0))))
        (local.set $a (i32.add (local.get $a) (i32.const 1)))
        (local.set $b (i32.add (local.get $b) (i32.const 1)))
        (br $category))))
    (if (i64.ne
          (i64.and (i64.load (local.get $b)) (i64.const 0xffffffffffff))
          (i64.const ${littleEndian(' Page ')}))
      (then (return (i32.const 0))))
    (local.set $a (i32.add (local.get $a) (i32.const 1)))
    (local.set $b (i32.add (local.get $b) (i32.const 6)))
    ;; With the quote at its end, so that the title ends there, too.
    (loop $id
      (if (i32.lt_u (local.get $a) (local.get $aEnd)) (then
        (local.set $byte (i32.load8_u (local.get $a)))
        (if (i32.or
              (i32.eq (local.get $byte) (i32.const ${code('/')}))
              (i32.ne (local.get $byte) (i32.load8_u (local.get $b))))
          (then (return (i32.const 0))))
        (local.set $a (i32.add (local.get $a) (i32.const 1)))
        (local.set $b (i32.add (local.get $b) (i32.const 1)))
        (br $id))))
    (i32.const 1))`,

  /** Whatever may be a name counts as one; their starts and lengths are kept in the memory. */
  fieldNamesAreSurelyUnique: `
  (func $fieldNamesAreSurelyUnique ${RULE}
    (local $keys i32) (local $end i32) (local $length i32) (local $name i32) (local $names i32)
    ;; Many are compared faster by the rule itself.
    (if (i32.gt_u (i32.sub (local.get $roomEnd) (local.get $room)) (i32.const ${8 * 256}))
      (then (local.set $roomEnd (i32.add (local.get $room) (i32.const ${8 * 256})))))
    (local.set $names (local.get $room))
    (loop $next
      (if (i32.ge_u (local.get $a) (local.get $aEnd)) (then (return (i32.const 1))))
      (local.set $keys (i8x16.bitmask (v128.and
        (i8x16.eq (v128.load (local.get $a)) (i8x16.splat (i32.const ${code('"')})))
        (i8x16.eq (v128.load offset=1 (local.get $a)) (i8x16.splat (i32.const ${code('n')}))))))
      (if (i32.eqz (local.get $keys)) (then
        (local.set $a (i32.add (local.get $a) (i32.const 16)))
        (br $next)))
      (local.set $a (i32.add (local.get $a) (i32.ctz (local.get $keys))))
      (if (i64.ne
            (i64.and (i64.load (local.get $a)) (i64.const 0xffffffffffff))
            (i64.const ${littleEndian('"name"')}))
        (then
          (local.set $a (i32.add (local.get $a) (i32.const 1)))
          (br $next)))
      (local.set $a (call $skipSpace (i32.add (local.get $a) (i32.const 6))))
      (br_if $next (i32.ne (i32.load8_u (local.get $a)) (i32.const ${code(':')})))
      (local.set $a (call $skipSpace (i32.add (local.get $a) (i32.const 1))))
      (br_if $next (i32.ne (i32.load8_u (local.get $a)) (i32.const ${code('"')})))
      (local.set $end (call $skipString (local.get $a) (local.get $aEnd)))
      (local.set $length (i32.sub (local.get $end) (local.get $a)))
      (local.set $name (local.get $room))
      (loop $compare
        (if (i32.lt_u (local.get $name) (local.get $names)) (then
          (if (i32.eq (i32.load offset=4 (local.get $name)) (local.get $length)) (then
            (if (call $isEqual
                  (i32.load (local.get $name)) (local.get $a) (local.get $length))
              (then (return (i32.const 0))))))
          (local.set $name (i32.add (local.get $name) (i32.const 8)))
          (br $compare))))
      (if (i32.gt_u (i32.add (local.get $names) (i32.const 8)) (local.get $roomEnd))
        (then (return (i32.const 0))))
      (i32.store (local.get $names) (local.get $a))
      (i32.store offset=4 (local.get $names) (local.get $length))
      (local.set $names (i32.add (local.get $names) (i32.const 8)))
      (local.set $a (local.get $end))
      (br $next))
    (unreachable))`,

  /** Both in UTC, in one spelling, which makes the order of bytes that of time. */
  surelyUpdatedOnTheDay: `
  (func $surelyUpdatedOnTheDay ${RULE}
    (local $at i32) (local $end i32) (local $order i32)
    (local.set $end (i32.sub (local.get $aEnd) (local.get $a)))
    (if (i32.ne (local.get $end) (i32.sub (local.get $bEnd) (local.get $b)))
      (then (return (i32.const 0))))
    (if (i32.eqz (i32.and
          (call $isInstant (local.get $a) (local.get $aEnd))
          (call $isInstant (local.get $b) (local.get $bEnd))))
      (then (return (i32.const 0))))
    (loop $each
      (local.set $order (i32.sub
        (i32.load8_u (i32.add (local.get $a) (local.get $at)))
        (i32.load8_u (i32.add (local.get $b) (local.get $at)))))
      (if (local.get $order) (then
        (return (i32.and
          (i32.lt_s (local.get $order) (i32.const 0))
          ;; After the quote and the day.
          (i32.gt_u (local.get $at) (i32.const 11))))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $each (i32.lt_u (local.get $at) (local.get $end))))
    (i32.const 1))

  ;; Whether it is spelled as "2025-08-28T10:15:00Z" is. Digits that make no date are no fault by the
  ;; rule; but hour 24 is that of the next day.
  (func $isInstant (param $start i32) (param $end i32) (result i32)
    (i32.and
      (i32.and
        (i32.and
          (i32.eq (i32.load8_u offset=5 (local.get $start)) (i32.const ${code('-')}))
          (i32.eq (i32.load8_u offset=8 (local.get $start)) (i32.const ${code('-')})))
        (i32.and
          (i32.eq (i32.load8_u offset=11 (local.get $start)) (i32.const ${code('T')}))
          (i32.eq (i32.load8_u offset=14 (local.get $start)) (i32.const ${code(':')}))))
      (i32.and
        (i32.and
          (i32.eq (i32.load8_u offset=17 (local.get $start)) (i32.const ${code(':')}))
          (i32.ne (i32.load16_u offset=12 (local.get $start)) (i32.const ${littleEndian('24')})))
        (i32.eq
          (i32.load8_u (i32.sub (local.get $end) (i32.const 2)))
          (i32.const ${code('Z')})))))`,
}

export type RuleProgram = keyof typeof RULE_PROGRAMS

/** In the order of their numbers. */
export const RULE_NAMES = Object.keys(RULE_PROGRAMS)
