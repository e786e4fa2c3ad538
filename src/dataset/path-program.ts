/**
 * The table of claimed paths: a part of the program in scan-program.ts. path-set.ts allocates what it
 * stands in, and says what the functions are for.
 */

/** How many bytes an entry has: the hash of a path, where its bytes are, how many; four bytes each. */
export const ENTRY = 12

export const PATH_PROGRAM = `
  ;; Paths ---------------------------------------------------------------------------------------

  ;; The table has mask + 1 slots, each with the number of a path plus 1, or 0 where it is free; four
  ;; bytes each. Then the entries, how many paths there are, and room for the bytes of the next.
  (global $slots (export "slots") (mut i32) (i32.const 0))
  (global $mask (export "mask") (mut i32) (i32.const 0))
  (global $entries (export "entries") (mut i32) (i32.const 0))
  (global $pathCount (export "pathCount") (mut i32) (i32.const 0))
  (global $free (export "free") (mut i32) (i32.const 0))
  (global $freeEnd (export "freeEnd") (mut i32) (i32.const 0))

  ;; The number of a path; -1 where it is new, and there is no room for it.
  (func (export "addPath") (param $start i32) (param $end i32) (result i32)
    (local $length i32) (local $hash i32) (local $slot i32) (local $entry i32)
    (local.set $length (i32.sub (local.get $end) (local.get $start)))
    (local.set $hash (call $hash (local.get $start) (local.get $length)))
    (local.set $slot (call $slot (local.get $hash)))
    (loop $probe
      (if (i32.load (local.get $slot)) (then
        (local.set $entry (call $entry (i32.sub (i32.load (local.get $slot)) (i32.const 1))))
        (if (i32.and
              (i32.eq (i32.load (local.get $entry)) (local.get $hash))
              (i32.eq (i32.load offset=8 (local.get $entry)) (local.get $length)))
          (then (if (call $isEqual
              (i32.load offset=4 (local.get $entry))
              (local.get $start)
              (local.get $length))
            (then (return (i32.sub (i32.load (local.get $slot)) (i32.const 1)))))))
        (local.set $slot (call $slotAfter (local.get $slot)))
        (br $probe))))
    ;; At most half of the slots are taken.
    (if (i32.or
          (i32.gt_u (i32.shl (global.get $pathCount) (i32.const 1)) (global.get $mask))
          (i32.gt_u (i32.add (global.get $free) (local.get $length)) (global.get $freeEnd)))
      (then (return (i32.const -1))))
    (local.set $entry (call $entry (global.get $pathCount)))
    (i32.store (local.get $entry) (local.get $hash))
    (i32.store offset=4 (local.get $entry) (global.get $free))
    (i32.store offset=8 (local.get $entry) (local.get $length))
    (call $copy (local.get $start) (local.get $length) (global.get $free))
    (global.set $free (i32.add (global.get $free) (local.get $length)))
    (global.set $pathCount (i32.add (global.get $pathCount) (i32.const 1)))
    (i32.store (local.get $slot) (global.get $pathCount))
    (i32.sub (global.get $pathCount) (i32.const 1)))

  ;; Places the paths in slots that are all free.
  (func (export "placePaths")
    (local $number i32) (local $slot i32)
    (loop $each
      (if (i32.lt_u (local.get $number) (global.get $pathCount)) (then
        (local.set $slot (call $slot (i32.load (call $entry (local.get $number)))))
        (loop $probe
          (if (i32.load (local.get $slot)) (then
            (local.set $slot (call $slotAfter (local.get $slot)))
            (br $probe))))
        (local.set $number (i32.add (local.get $number) (i32.const 1)))
        (i32.store (local.get $slot) (local.get $number))
        (br $each)))))

  (func $slot (param $hash i32) (result i32)
    (i32.add
      (global.get $slots)
      (i32.shl (i32.and (local.get $hash) (global.get $mask)) (i32.const 2))))

  (func $slotAfter (param $slot i32) (result i32)
    (call $slot (i32.add
      (i32.shr_u (i32.sub (local.get $slot) (global.get $slots)) (i32.const 2))
      (i32.const 1))))

  (func $entry (param $number i32) (result i32)
    (i32.add (global.get $entries) (i32.mul (local.get $number) (i32.const ${ENTRY}))))

  ;; Multiplicative hashing, eight bytes at a time (Knuth, volume 3, section 6.4).
  (func $hash (param $at i32) (param $length i32) (result i32)
    (local $hash i64)
    (local.set $hash (i64.extend_i32_u (local.get $length)))
    (loop $more
      (if (i32.ge_s (local.get $length) (i32.const 8)) (then
        (local.set $hash (call $mix (local.get $hash) (i64.load (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (local.set $length (i32.sub (local.get $length) (i32.const 8)))
        (br $more))))
    (i32.wrap_i64 (call $mix
      (local.get $hash)
      (i64.and
        (i64.load (local.get $at))
        (i64.sub
          (i64.shl (i64.const 1) (i64.extend_i32_u (i32.shl (local.get $length) (i32.const 3))))
          (i64.const 1))))))

  (func $mix (param $hash i64) (param $bytes i64) (result i64)
    (local.set $hash (i64.mul
      (i64.xor (local.get $hash) (local.get $bytes))
      (i64.const 0x9e3779b97f4a7c15)))
    (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 32))))`
