/**
 * The program that scans: WebAssembly, for what it does with sixteen bytes at a time. Scanner, in
 * scan.ts, puts the tables and the batch into its memory, and says there what each function is for.
 *
 * Whoever calls sees to it that zeros follow the text, sixteen at least: no JSON has a byte that is
 * zero, so whatever reads on stops there, and only what looks for one byte has to mind the end.
 *
 * The spans of a record are a list of numbers: where it starts and ends, then where each value does.
 * The end of a doubtful record is told as a negative number.
 */
import { createHash } from 'node:crypto'
import { MOST_PAGES } from './allocator.ts'
import { PATH_PROGRAM } from './path-program.ts'
import { RULE_NAMES, RULE_PROGRAMS } from './rule-programs.ts'
import { code } from './wat.ts'

export const PROGRAM = `
(module
  (import "allocator" "memory" (memory 1 ${MOST_PAGES} shared))
  ;; Where the tables are, from the spans of one record to those of the next, the longest record.
  ;; A rule is its number, and where in the spans of a record those of the values stand.
  (global $classes (export "classes") (mut i32) (i32.const 0))
  (global $next (export "next") (mut i32) (i32.const 0))
  (global $loops (export "loops") (mut i32) (i32.const 0))
  (global $members (export "members") (mut i32) (i32.const 0))
  (global $membersEnd (export "membersEnd") (mut i32) (i32.const 0))
  (global $rules (export "rules") (mut i32) (i32.const 0))
  (global $rulesEnd (export "rulesEnd") (mut i32) (i32.const 0))
  (global $stride (export "stride") (mut i32) (i32.const 0))
  (global $longest (export "longest") (mut i32) (i32.const 0))

  (type $rule (func (param i32 i32 i32 i32 i32 i32) (result i32)))
  (table ${RULE_NAMES.length} funcref)
  (elem (i32.const 0) ${RULE_NAMES.map((name) => `$${name}`).join(' ')})

  ;; Records ------------------------------------------------------------------------------------

  ;; Scans the array from its bracket. How many records it has, or -1 where it is none, or has more
  ;; than there is room for spans.
  (func (export "scan")
    (param $at i32) (param $end i32) (param $span i32) (param $spansEnd i32) (result i32)
    (local $count i32) (local $after i32) (local $byte i32)
    (local.set $at (call $skipSpace (local.get $at)))
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const ${code('[')})) (then (return (i32.const -1))))
    (local.set $at (call $skipSpace (i32.add (local.get $at) (i32.const 1))))
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const ${code(']')})) (then
      (loop $each
        (if (i32.gt_u
              (i32.add (local.get $span) (global.get $stride))
              (local.get $spansEnd))
          (then (return (i32.const -1))))
        (local.set $after (call $record (local.get $at) (local.get $span)))
        (i32.store (local.get $span) (local.get $at))
        (i32.store offset=4 (local.get $span) (local.get $after))
        (if (i32.or
              (i32.lt_s (local.get $after) (i32.const 0))
              (i32.gt_s (i32.sub (local.get $after) (local.get $at)) (global.get $longest)))
          (then
            (local.set $after (call $skipValue (local.get $at) (local.get $end)))
            (i32.store offset=4 (local.get $span) (i32.sub (i32.const 0) (local.get $after))))
          (else
            (if (i32.eqz (call $keepsRules (local.get $span) (local.get $spansEnd))) (then
              (i32.store offset=4 (local.get $span) (i32.sub (i32.const 0) (local.get $after)))))))
        (local.set $count (i32.add (local.get $count) (i32.const 1)))
        (local.set $span (i32.add (local.get $span) (global.get $stride)))
        (local.set $at (call $skipSpace (local.get $after)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (if (i32.eq (local.get $byte) (i32.const ${code(',')})) (then
          (local.set $at (call $skipSpace (i32.add (local.get $at) (i32.const 1))))
          (br $each))))
      (if (i32.ne (local.get $byte) (i32.const ${code(']')})) (then (return (i32.const -1))))))
    (select
      (local.get $count)
      (i32.const -1)
      (i32.eq (call $skipSpace (i32.add (local.get $at) (i32.const 1))) (local.get $end))))

  ;; The offset after the record, or -1 where the grammar does not accept it.
  (func $record (param $at i32) (param $span i32) (result i32)
    (local $member i32) (local $isOver i32) (local $length i32) (local $byte i32)
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const ${code('{')})) (then (return (i32.const -1))))
    (local.set $at (call $skipSpace (i32.add (local.get $at) (i32.const 1))))
    (local.set $isOver (i32.eq (i32.load8_u (local.get $at)) (i32.const ${code('}')})))
    (local.set $member (global.get $members))
    (loop $each
      (local.set $span (i32.add (local.get $span) (i32.const 8)))
      (local.set $length (i32.load offset=4 (local.get $member)))
      (if
        (if (result i32) (local.get $isOver)
          (then (i32.const 0))
          (else (call $isEqual
            (local.get $at)
            ;; Before the key, as it is written before a value, stands a comma, after it a colon.
            (i32.add (i32.load (local.get $member)) (i32.const 1))
            (i32.sub (local.get $length) (i32.const 2)))))
        (then
          (local.set $at (call $skipSpace
            (i32.add (local.get $at) (i32.sub (local.get $length) (i32.const 2)))))
          (if (i32.ne (i32.load8_u (local.get $at)) (i32.const ${code(':')})) (then (return (i32.const -1))))
          (local.set $at (call $skipSpace (i32.add (local.get $at) (i32.const 1))))
          (i32.store (local.get $span) (local.get $at))
          (local.set $at (call $value (local.get $at) (i32.load offset=8 (local.get $member))))
          (if (i32.lt_s (local.get $at) (i32.const 0)) (then (return (i32.const -1))))
          (i32.store offset=4 (local.get $span) (local.get $at))
          (local.set $at (call $skipSpace (local.get $at)))
          (local.set $byte (i32.load8_u (local.get $at)))
          (if (i32.eq (local.get $byte) (i32.const ${code(',')}))
            (then (local.set $at (call $skipSpace (i32.add (local.get $at) (i32.const 1)))))
            (else
              (if (i32.ne (local.get $byte) (i32.const ${code('}')})) (then (return (i32.const -1))))
              (local.set $isOver (i32.const 1)))))
        (else
          (if (i32.load offset=12 (local.get $member)) (then (return (i32.const -1))))
          (i64.store (local.get $span) (i64.const -1))))
      (local.set $member (i32.add (local.get $member) (i32.const 16)))
      (br_if $each (i32.lt_u (local.get $member) (global.get $membersEnd))))
    (select (i32.add (local.get $at) (i32.const 1)) (i32.const -1) (local.get $isOver)))

  ;; Whether the record surely keeps all rules. Is free to use the memory after its spans.
  (func $keepsRules (param $span i32) (param $spansEnd i32) (result i32)
    (local $rule i32) (local $a i32) (local $b i32)
    (local.set $rule (global.get $rules))
    (loop $each
      (if (i32.ge_u (local.get $rule) (global.get $rulesEnd)) (then (return (i32.const 1))))
      (local.set $a (i32.add (local.get $span) (i32.load offset=4 (local.get $rule))))
      (local.set $b (i32.add (local.get $span) (i32.load offset=8 (local.get $rule))))
      ;; A record without the values keeps the rule.
      (if (i32.and
            (i32.gt_s (i32.load (local.get $a)) (i32.const 0))
            (i32.gt_s (i32.load (local.get $b)) (i32.const 0)))
        (then (if (i32.eqz (call_indirect (type $rule)
            (i32.load (local.get $a))
            (i32.load offset=4 (local.get $a))
            (i32.load (local.get $b))
            (i32.load offset=4 (local.get $b))
            (i32.add (local.get $span) (global.get $stride))
            (local.get $spansEnd)
            (i32.load (local.get $rule))))
          (then (return (i32.const 0))))))
      (local.set $rule (i32.add (local.get $rule) (i32.const 12)))
      (br $each))
    (unreachable))
${Object.values(RULE_PROGRAMS).join('')}

  ;; Runs the automaton. The offset after the value, or -1 where it does not accept one.
  (func $value (param $at i32) (param $state i32) (result i32)
    (local $loop i32) (local $low v128) (local $high v128) (local $bytes v128) (local $others i32)
    (loop $step
      (local.set $loop (i32.and (local.get $state) (i32.const 0xff)))
      (if (local.get $loop) (then
        (local.set $loop (i32.add (global.get $loops) (i32.shl (local.get $loop) (i32.const 5))))
        (local.set $low (v128.load (local.get $loop)))
        (local.set $high (v128.load offset=16 (local.get $loop)))
        (loop $more
          (local.set $bytes (v128.load (local.get $at)))
          (local.set $others (i8x16.bitmask (i8x16.eq
            (v128.and
              (i8x16.swizzle (local.get $low)
                (v128.and (local.get $bytes) (i8x16.splat (i32.const 0x0f))))
              (i8x16.swizzle (local.get $high) (i8x16.shr_u (local.get $bytes) (i32.const 4))))
            (i8x16.splat (i32.const 0)))))
          (if (i32.eqz (local.get $others)) (then
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (br $more))))
        (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $others))))))
      (local.set $state (i32.load (i32.add
        (i32.add (global.get $next) (i32.shr_u (local.get $state) (i32.const 8)))
        (i32.shl
          (i32.load8_u (i32.add (global.get $classes) (i32.load8_u (local.get $at))))
          (i32.const 2)))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $step (i32.ge_s (local.get $state) (i32.const 0))))
    (select (local.get $at) (i32.const -1) (i32.eq (local.get $state) (i32.const -2))))

  ;; Writes a record in its normal form. The offset after it.
  (func (export "write") (param $span i32) (param $to i32) (result i32)
    (local $start i32) (local $member i32) (local $length i32) (local $value i32)
    (local.set $start (local.get $to))
    (local.set $member (global.get $members))
    (loop $each
      (local.set $span (i32.add (local.get $span) (i32.const 8)))
      (local.set $value (i32.load (local.get $span)))
      (if (i32.gt_s (local.get $value) (i32.const 0)) (then
        (local.set $length (i32.load offset=4 (local.get $member)))
        (call $copy (i32.load (local.get $member)) (local.get $length) (local.get $to))
        (local.set $to (call $copyValue
          (local.get $value)
          (i32.load offset=4 (local.get $span))
          (i32.add (local.get $to) (local.get $length))))))
      (local.set $member (i32.add (local.get $member) (i32.const 16)))
      (br_if $each (i32.lt_u (local.get $member) (global.get $membersEnd))))
    ;; Where the comma before the first member stands; a record without members has none.
    (if (i32.eq (local.get $to) (local.get $start))
      (then (local.set $to (i32.add (local.get $to) (i32.const 1)))))
    (i32.store8 (local.get $start) (i32.const ${code('{')}))
    (i32.store8 (local.get $to) (i32.const ${code('}')}))
    (i32.add (local.get $to) (i32.const 1)))

  ;; Copies a value that the grammar accepts, less its white space. The offset after the copy.
  (func $copyValue (param $at i32) (param $end i32) (param $to i32) (result i32)
    (local $byte i32) (local $after i32)
    (if (i32.eqz (call $opens (i32.load8_u (local.get $at)))) (then
      (call $copy (local.get $at) (i32.sub (local.get $end) (local.get $at)) (local.get $to))
      (return (i32.add (local.get $to) (i32.sub (local.get $end) (local.get $at))))))
    (loop $each
      (local.set $at (call $skipSpace (local.get $at)))
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.eq (local.get $byte) (i32.const ${code('"')}))
        (then
          (local.set $after (call $skipString (local.get $at) (local.get $end)))
          (call $copy (local.get $at) (i32.sub (local.get $after) (local.get $at)) (local.get $to))
          (local.set $to (i32.add (local.get $to) (i32.sub (local.get $after) (local.get $at))))
          (local.set $at (local.get $after)))
        (else
          (i32.store8 (local.get $to) (local.get $byte))
          (local.set $to (i32.add (local.get $to) (i32.const 1)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))))
      (br_if $each (i32.lt_u (local.get $at) (local.get $end))))
    (local.get $to))

  ;; Compares two records in normal form. For each member, in two bits each from the lowest on,
  ;; whether it differs (1), is in the other record only (2), or neither (0); -1 where bytes cannot
  ;; tell.
  (func (export "compare")
    (param $a i32) (param $aEnd i32) (param $b i32) (param $bEnd i32) (result i32)
    (local $member i32) (local $length i32) (local $inA i32) (local $inB i32)
    (local $sizeA i32) (local $sizeB i32) (local $verdict i32) (local $verdicts i32) (local $bit i32)
    (local.set $member (global.get $members))
    (loop $each
      (local.set $length (i32.load offset=4 (local.get $member)))
      ;; What stands before a member is a comma, or the bracket of the record.
      (local.set $inA (call $isEqual
        (i32.add (local.get $a) (i32.const 1))
        (i32.add (i32.load (local.get $member)) (i32.const 1))
        (i32.sub (local.get $length) (i32.const 1))))
      (local.set $inB (call $isEqual
        (i32.add (local.get $b) (i32.const 1))
        (i32.add (i32.load (local.get $member)) (i32.const 1))
        (i32.sub (local.get $length) (i32.const 1))))
      (local.set $sizeA (i32.const 0))
      (local.set $sizeB (i32.const 0))
      (if (local.get $inA) (then
        (local.set $a (i32.add (local.get $a) (local.get $length)))
        (local.set $sizeA
          (i32.sub (call $skipValue (local.get $a) (local.get $aEnd)) (local.get $a)))))
      (if (local.get $inB) (then
        (local.set $b (i32.add (local.get $b) (local.get $length)))
        (local.set $sizeB
          (i32.sub (call $skipValue (local.get $b) (local.get $bEnd)) (local.get $b)))))
      (local.set $verdict
        (select (i32.const 1) (i32.shl (local.get $inB) (i32.const 1)) (local.get $inA)))
      (if (i32.and (local.get $inA) (local.get $inB)) (then
        (if
          (if (result i32) (i32.eq (local.get $sizeA) (local.get $sizeB))
            (then (call $isEqual (local.get $a) (local.get $b) (local.get $sizeA)))
            (else (i32.const 0)))
          (then (local.set $verdict (i32.const 0)))
          (else
            ;; Equal objects may have their keys in another order.
            (if (i32.and
                  (call $opens (i32.load8_u (local.get $a)))
                  (call $opens (i32.load8_u (local.get $b))))
              (then (return (i32.const -1))))))))
      (local.set $verdicts (i32.or
        (local.get $verdicts)
        (i32.shl (local.get $verdict) (local.get $bit))))
      (local.set $bit (i32.add (local.get $bit) (i32.const 2)))
      (local.set $a (i32.add (local.get $a) (local.get $sizeA)))
      (local.set $b (i32.add (local.get $b) (local.get $sizeB)))
      (local.set $member (i32.add (local.get $member) (i32.const 16)))
      (br_if $each (i32.lt_u (local.get $member) (global.get $membersEnd))))
    (select (local.get $verdicts) (i32.const -1) (i32.and
      (i32.and
        (i32.eq (i32.load8_u (local.get $a)) (i32.const ${code('}')}))
        (i32.eq (i32.add (local.get $a) (i32.const 1)) (local.get $aEnd)))
      (i32.and
        (i32.eq (i32.load8_u (local.get $b)) (i32.const ${code('}')}))
        (i32.eq (i32.add (local.get $b) (i32.const 1)) (local.get $bEnd))))))

${PATH_PROGRAM}
  ;; The bytes of a JSON text --------------------------------------------------------------------

  (func $skipSpace (param $at i32) (result i32) (local $bytes v128) (local $spaces i32)
    (if (i32.gt_u (i32.load8_u (local.get $at)) (i32.const ${code(' ')}))
      (then (return (local.get $at))))
    (loop $more
      (local.set $bytes (v128.load (local.get $at)))
      (local.set $spaces (i8x16.bitmask (v128.or
        (v128.or
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const ${code(' ')})))
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const ${code('\n')}))))
        (v128.or
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const ${code('\r')})))
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const ${code('\t')})))))))
      (if (i32.eq (local.get $spaces) (i32.const 0xffff)) (then
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $more))))
    (i32.add (local.get $at) (i32.ctz (i32.xor (local.get $spaces) (i32.const -1)))))

  ;; The offset after the closing quote of the string that opens here, or the end.
  (func $skipString (param $at i32) (param $end i32) (result i32)
    (local $bytes v128) (local $found i32)
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (loop $more
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (local.get $end))))
      (local.set $bytes (v128.load (local.get $at)))
      (local.set $found (i8x16.bitmask (v128.or
        (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const ${code('"')})))
        (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const ${code('\\')}))))))
      (if (i32.eqz (local.get $found)) (then
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $more)))
      (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $found))))
      (if (i32.eq (i32.load8_u (local.get $at)) (i32.const ${code('\\')})) (then
        (local.set $at (i32.add (local.get $at) (i32.const 2)))
        (br $more))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (select (local.get $at) (local.get $end) (i32.le_u (local.get $at) (local.get $end))))

  ;; Where the value ends that starts here, if it is one: nothing is checked.
  (func $skipValue (param $at i32) (param $end i32) (result i32)
    (local $byte i32) (local $depth i32) (local $isString i32) (local $closes i32)
    (loop $each
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (local.get $end))))
      (local.set $byte (i32.load8_u (local.get $at)))
      (local.set $closes (i32.or
        (i32.eq (local.get $byte) (i32.const ${code('}')}))
        (i32.eq (local.get $byte) (i32.const ${code(']')}))))
      (if (i32.eqz (local.get $depth)) (then
        (if (i32.or
              (i32.or (local.get $closes) (i32.eq (local.get $byte) (i32.const ${code(',')})))
              (i32.ne (call $skipSpace (local.get $at)) (local.get $at)))
          (then (return (local.get $at))))))
      (if (call $opens (local.get $byte))
        (then (local.set $depth (i32.add (local.get $depth) (i32.const 1)))))
      (local.set $depth (i32.sub (local.get $depth) (local.get $closes)))
      (local.set $isString (i32.eq (local.get $byte) (i32.const ${code('"')})))
      (local.set $at (if (result i32) (local.get $isString)
        (then (call $skipString (local.get $at) (local.get $end)))
        (else (i32.add (local.get $at) (i32.const 1)))))
      (br_if $each (i32.or
        (local.get $depth)
        (i32.eqz (i32.or (local.get $closes) (local.get $isString))))))
    (local.get $at))

  ;; Whether a byte opens an array or an object.
  (func $opens (param $byte i32) (result i32)
    (i32.or
      (i32.eq (local.get $byte) (i32.const ${code('{')}))
      (i32.eq (local.get $byte) (i32.const ${code('[')}))))

  ;; Bytes of anything ---------------------------------------------------------------------------

  (func $isEqual (param $a i32) (param $b i32) (param $length i32) (result i32)
    (local $equal i32)
    (loop $more
      (if (i32.le_s (local.get $length) (i32.const 0)) (then (return (i32.const 1))))
      (local.set $equal (i8x16.bitmask (i8x16.eq
        (v128.load (local.get $a)) (v128.load (local.get $b)))))
      (if (i32.eq (local.get $equal) (i32.const 0xffff)) (then
        (local.set $a (i32.add (local.get $a) (i32.const 16)))
        (local.set $b (i32.add (local.get $b) (i32.const 16)))
        (local.set $length (i32.sub (local.get $length) (i32.const 16)))
        (br $more))))
    (i32.ge_s (i32.ctz (i32.xor (local.get $equal) (i32.const -1))) (local.get $length)))

  ;; Copies bytes, and up to fifteen more after them, which whatever is written next replaces.
  (func $copy (param $from i32) (param $length i32) (param $to i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $from) (local.get $length)))
    (loop $more
      (v128.store (local.get $to) (v128.load (local.get $from)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (br_if $more (i32.lt_u (local.get $from) (local.get $end))))))
`

/** Changes whenever the program does, so that what was made of another is not used again. */
export const PROGRAM_VERSION = createHash('sha256').update(PROGRAM).digest('hex').slice(0, 16)
