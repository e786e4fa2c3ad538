;; Scans a batch: finds its records, copies those that the grammar accepts without the white space
;; between their tokens, and stores where each of their values is. scan.ts lays out the memory;
;; twin.ts does the same in TypeScript.
;;
;; At least sixteen zeros follow the batch. JSON never contains a zero byte, so reading stops there.
;; Only a search for a certain byte needs to check the end.
(module
  (import "scan" "memory" (memory 1))
  ;; Where the tables are; see tables.ts.
  (import "scan" "classes" (global $classes i32))
  (import "scan" "next" (global $next i32))
  (import "scan" "loops" (global $loops i32))
  (import "scan" "members" (global $members i32))
  (import "scan" "membersEnd" (global $membersEnd i32))
  ;; The number of required members, and the length of a row in bytes.
  (import "scan" "required" (global $required i32))
  (import "scan" "stride" (global $stride i32))

  ;; The offset of the next byte to read, and that of the next byte to write.
  (global $at (mut i32) (i32.const 0))
  (global $to (mut i32) (i32.const 0))

  ;; Records -------------------------------------------------------------------------------------

  ;; Returns the end of the rows; 0 if the batch is not an array, or has more records than fit.
  (func (export "scan")
    (param $batch i32) (param $end i32) (param $normal i32) (param $row i32) (param $rowsEnd i32)
    (result i32)
    (local $start i32) (local $written i32)
    (global.set $at (local.get $batch))
    (global.set $to (local.get $normal))
    (call $skipSpace)
    (if (i32.eqz (call $take (i32.const 0x5b))) (then (return (i32.const 0))))  ;; [
    (call $skipSpace)
    (if (i32.ne (call $byte) (i32.const 0x5d)) (then  ;; ]
      (loop $each
        (call $skipSpace)
        (if (i32.gt_u (i32.add (local.get $row) (global.get $stride)) (local.get $rowsEnd))
          (then (return (i32.const 0))))
        (local.set $start (global.get $at))
        (local.set $written (global.get $to))
        (if (call $record (local.get $row) (local.get $normal))
          (then
            (i32.store offset=8 (local.get $row) (i32.sub (local.get $written) (local.get $normal)))
            (i32.store offset=12 (local.get $row) (i32.sub (global.get $to) (local.get $normal))))
          (else
            (global.set $at (call $afterValue (local.get $start) (local.get $end)))
            (global.set $to (local.get $written))
            (i64.store offset=8 (local.get $row) (i64.const -1))))
        (i32.store (local.get $row) (i32.sub (local.get $start) (local.get $batch)))
        (i32.store offset=4 (local.get $row) (i32.sub (global.get $at) (local.get $batch)))
        (local.set $row (i32.add (local.get $row) (global.get $stride)))
        (call $skipSpace)
        (br_if $each (call $take (i32.const 0x2c))))))  ;; ,
    (if (i32.eqz (call $take (i32.const 0x5d))) (then (return (i32.const 0))))  ;; ]
    (call $skipSpace)
    (select (local.get $row) (i32.const 0) (i32.eq (global.get $at) (local.get $end))))

  ;; Returns whether the grammar accepts the record. If so, it is read and written.
  (func $record (param $row i32) (param $normal i32) (result i32)
    (local $member i32) (local $cell i32) (local $length i32) (local $missing i32)
    (memory.fill
      (i32.add (local.get $row) (i32.const 16))
      (i32.const -1)
      (i32.sub (global.get $stride) (i32.const 16)))
    (local.set $missing (global.get $required))
    (local.set $member (global.get $members))
    (if (i32.eqz (call $take (i32.const 0x7b))) (then (return (i32.const 0))))  ;; {
    (loop $each
      (call $skipSpace)
      (local.set $member (call $memberHere (local.get $member)))
      (if (i32.eqz (local.get $member)) (then (return (i32.const 0))))
      ;; A member takes 16 bytes, its cell 8, after the 16 of the record itself.
      (local.set $cell (i32.add (local.get $row)
        (i32.shr_u (i32.sub (local.get $member) (global.get $members)) (i32.const 1))))
      (if (i32.ne (i32.load offset=16 (local.get $cell)) (i32.const -1))
        (then (return (i32.const 0))))
      (local.set $length (i32.load offset=4 (local.get $member)))
      (call $write (i32.load (local.get $member)) (local.get $length))
      (global.set $at (i32.add (global.get $at) (local.get $length)))
      (call $skipSpace)
      (if (i32.eqz (call $take (i32.const 0x3a))) (then (return (i32.const 0))))  ;; :
      (call $skipSpace)
      (i32.store offset=16 (local.get $cell) (i32.sub (global.get $to) (local.get $normal)))
      (if (i32.eqz (call $value (i32.load offset=8 (local.get $member))))
        (then (return (i32.const 0))))
      (i32.store offset=20 (local.get $cell) (i32.sub (global.get $to) (local.get $normal)))
      (local.set $missing (i32.sub (local.get $missing) (i32.load offset=12 (local.get $member))))
      (local.set $member (i32.add (local.get $member) (i32.const 16)))
      (call $skipSpace)
      (br_if $each (call $take (i32.const 0x2c))))  ;; ,
    (i32.and (call $take (i32.const 0x7d)) (i32.eqz (local.get $missing))))  ;; }

  ;; Returns the member whose key is here; 0 if there is none. It tries the expected one first.
  (func $memberHere (param $expected i32) (result i32)
    (local $member i32)
    (if (i32.lt_u (local.get $expected) (global.get $membersEnd)) (then
      (if (call $isHere (local.get $expected)) (then (return (local.get $expected))))))
    (local.set $member (global.get $members))
    (loop $each
      (if (call $isHere (local.get $member)) (then (return (local.get $member))))
      (local.set $member (i32.add (local.get $member) (i32.const 16)))
      (br_if $each (i32.lt_u (local.get $member) (global.get $membersEnd))))
    (i32.const 0))

  ;; Returns whether the key of a member is here, including both quotes.
  (func $isHere (param $member i32) (result i32)
    (local $at i32) (local $key i32) (local $end i32)
    (local.set $at (global.get $at))
    (local.set $key (i32.load (local.get $member)))
    (local.set $end (i32.add (local.get $key) (i32.load offset=4 (local.get $member))))
    (loop $each
      (if (i32.ne (i32.load8_u (local.get $at)) (i32.load8_u (local.get $key)))
        (then (return (i32.const 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (local.set $key (i32.add (local.get $key) (i32.const 1)))
      (br_if $each (i32.lt_u (local.get $key) (local.get $end))))
    (i32.const 1))

  ;; Values --------------------------------------------------------------------------------------

  ;; Runs the automaton and returns whether it accepts a value. If so, it is read and written.
  (func $value (param $state i32) (result i32)
    (local $start i32) (local $at i32) (local $others i32) (local $loop i32)
    (local $low v128) (local $high v128) (local $bytes v128)
    (local.set $start (global.get $at))
    (local.set $at (local.get $start))
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
    (if (i32.ne (local.get $state) (i32.const -2)) (then (return (i32.const 0))))
    (if (call $opens (i32.load8_u (local.get $start)))
      (then (call $writeTokens (local.get $at)))
      (else
        (call $write (local.get $start) (i32.sub (local.get $at) (local.get $start)))
        (global.set $at (local.get $at))))
    (i32.const 1))

  ;; Writes an array or object that the grammar accepts, without its white space.
  (func $writeTokens (param $end i32)
    (local $start i32)
    (loop $each
      (call $skipSpace)
      (if (i32.eq (call $byte) (i32.const 0x22))  ;; a quote
        (then
          (local.set $start (global.get $at))
          (global.set $at (call $afterString (local.get $start) (local.get $end)))
          (call $write (local.get $start) (i32.sub (global.get $at) (local.get $start))))
        (else (drop (call $take (call $byte)))))
      (br_if $each (i32.lt_u (global.get $at) (local.get $end)))))

  ;; Returns the end of the value that starts here. It does not check that it is a valid one.
  (func $afterValue (param $at i32) (param $end i32) (result i32)
    (local $byte i32) (local $depth i32) (local $closes i32)
    (loop $each
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (local.get $end))))
      (local.set $byte (i32.load8_u (local.get $at)))
      ;; } and ] differ in one bit.
      (local.set $closes (i32.eq (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x7d)))
      (if (i32.eqz (local.get $depth)) (then
        (if (i32.or
              (i32.or (local.get $closes) (i32.eq (local.get $byte) (i32.const 0x2c)))  ;; ,
              (i32.le_u (local.get $byte) (i32.const 0x20)))
          (then (return (local.get $at))))))
      (local.set $depth
        (i32.sub (i32.add (local.get $depth) (call $opens (local.get $byte))) (local.get $closes)))
      (local.set $at (if (result i32) (i32.eq (local.get $byte) (i32.const 0x22))  ;; a quote
        (then (call $afterString (local.get $at) (local.get $end)))
        (else (i32.add (local.get $at) (i32.const 1)))))
      (br $each))
    (unreachable))

  ;; Returns the end of the string that opens here, or the end of the batch.
  (func $afterString (param $at i32) (param $end i32) (result i32)
    (local $bytes v128) (local $found i32)
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (loop $more
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (local.get $end))))
      (local.set $bytes (v128.load (local.get $at)))
      (local.set $found (i8x16.bitmask (v128.or
        (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))
        (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c))))))
      (if (i32.eqz (local.get $found)) (then
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $more)))
      (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $found))))
      (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x5c)) (then  ;; a backslash
        (local.set $at (i32.add (local.get $at) (i32.const 2)))
        (br $more))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (select (local.get $at) (local.get $end) (i32.le_u (local.get $at) (local.get $end))))

  ;; Bytes ---------------------------------------------------------------------------------------

  (func $byte (result i32)
    (i32.load8_u (global.get $at)))

  ;; Returns whether a byte is { or [, which differ in one bit.
  (func $opens (param $byte i32) (result i32)
    (i32.eq (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x7b)))

  ;; Reads and writes a byte if it is the next one, and returns whether it is.
  (func $take (param $byte i32) (result i32)
    (if (i32.ne (call $byte) (local.get $byte)) (then (return (i32.const 0))))
    (i32.store8 (global.get $to) (local.get $byte))
    (global.set $at (i32.add (global.get $at) (i32.const 1)))
    (global.set $to (i32.add (global.get $to) (i32.const 1)))
    (i32.const 1))

  ;; Writes bytes, and up to fifteen more, which the next write replaces.
  (func $write (param $from i32) (param $length i32)
    (local $to i32) (local $end i32)
    (local.set $to (global.get $to))
    (local.set $end (i32.add (local.get $to) (local.get $length)))
    (global.set $to (local.get $end))
    (loop $more
      (v128.store (local.get $to) (v128.load (local.get $from)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (br_if $more (i32.lt_u (local.get $to) (local.get $end)))))

  (func $skipSpace
    (local $at i32) (local $bytes v128) (local $spaces i32)
    (local.set $at (global.get $at))
    (if (i32.gt_u (i32.load8_u (local.get $at)) (i32.const 0x20)) (then (return)))
    (loop $more
      (local.set $bytes (v128.load (local.get $at)))
      (local.set $spaces (i8x16.bitmask (v128.or
        (v128.or
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x20)))
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x0a))))
        (v128.or
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x0d)))
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x09)))))))
      (if (i32.eq (local.get $spaces) (i32.const 0xffff)) (then
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $more))))
    (global.set $at
      (i32.add (local.get $at) (i32.ctz (i32.xor (local.get $spaces) (i32.const -1)))))))
