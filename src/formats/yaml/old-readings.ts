/** What programs that read YAML 1.1 make of a text without quotes that YAML 1.2 reads in another way. */
import type { OldKind } from '../../fault/facts.ts'

/** For example `no`, `Yes` and `off`. */
const TRUE = /^(?:y|Y|yes|Yes|YES|on|On|ON)$/
const FALSE = /^(?:n|N|no|No|NO|off|Off|OFF)$/

/** For example `2026-11-28` and `2026-11-28T10:15:00Z`. */
const DATE =
  /^\d{4}-\d\d-\d\d$|^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?)?$/

/** In the base 60, such as `12:30` and `1:20:30.5`. */
const SEXAGESIMAL = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/

/** With marks between its digits, such as `1_000`, or in the base 2, such as `0b101`. */
const MARKED = /^[-+]?(?:\d[\d_]*_[\d_]*(?:\.[\d_]*)?|0b[01_]+)$/

/** In the base 8, such as `0o17`; YAML 1.1 writes `017`. */
const OCTAL = /^0o/

export interface OldReading {
  kind: OldKind
  /** A value of that kind; of a date, which JSON doesn't have, an object. */
  value: unknown
}

/** @param source a plain scalar that is a value, as it's written */
export function oldReadingOf(source: string, value: unknown): OldReading | undefined {
  if (typeof value === 'number')
    return OCTAL.test(source) ? { kind: 'text', value: source } : undefined

  if (typeof value !== 'string') return undefined
  if (TRUE.test(source)) return { kind: 'true', value: true }
  if (FALSE.test(source)) return { kind: 'false', value: false }
  if (DATE.test(source)) return { kind: 'date', value: {} }
  if (SEXAGESIMAL.test(source) || MARKED.test(source)) return { kind: 'number', value: 1 }
  return undefined
}

/**
 * Returns what a key is, such as `NO` and `on`. Those of one letter are left out: `y` and `n` are
 * coordinates.
 *
 * @param source a plain scalar that is a key, as it's written
 */
export function oldReadingOfKey(source: string): OldKind | undefined {
  if (source.length === 1) return undefined
  if (TRUE.test(source)) return 'true'
  return FALSE.test(source) ? 'false' : undefined
}
