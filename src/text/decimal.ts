/** Exact decimal arithmetic: which numbers survive `JSON.parse`, and which are multiples. */

/** A number as a whole number without zeros at its end, times a power of ten. */
interface Decimal {
  /** Without a sign and without zeros at either end; empty for zero. */
  digits: string
  exponent: number
}

/** Below this, a number keeps fewer digits, down to one. */
const SMALLEST_EXACT = 2 ** -1022

/** So many digits of a fraction stay, except that the last one or two may change. */
const MOST_DIGITS = 17

/**
 * Returns what `JSON.parse` makes of a number if that is another number; otherwise undefined. A whole
 * number survives if `JSON.stringify` writes the same one, however either is spelled; -0 is 0. Of a
 * fraction, the last of 17 digits may change: 0.10000000000000001 is written 0.1.
 */
export function numberRead(number: string): number | undefined {
  const value = Number(number)
  const written = String(value)
  if (written === number) return undefined

  const delivered = toDecimal(number)
  const isZero = delivered.digits === ''
  if (isZero) return undefined

  const kept = toDecimal(written)
  const isSame = delivered.digits === kept.digits && delivered.exponent === kept.exponent
  if (isSame) return undefined

  const isShortFraction = delivered.exponent < 0 && delivered.digits.length <= MOST_DIGITS
  if (isShortFraction && Math.abs(value) >= SMALLEST_EXACT) return undefined

  return value
}

/**
 * Whether one number is a whole multiple of another. In binary, 78.1 / 0.01 isn't a whole number.
 *
 * @param unit not zero
 */
export function isMultiple(number: number, unit: number): boolean {
  if (Number.isSafeInteger(number) && Number.isSafeInteger(unit)) return number % unit === 0

  const decimal = toDecimal(String(number))
  const unitDecimal = toDecimal(String(unit))
  const lowest = Math.min(decimal.exponent, unitDecimal.exponent)
  return scaled(decimal, lowest) % scaled(unitDecimal, lowest) === 0n
}

/** Returns the multiples just below and just above a number: 78 and 78.01 for 78.003, of the unit 0.01. */
export function multiplesNear(number: number, unit: number): number[] {
  const below = Math.floor(number / unit)
  const candidates = [below, below + 1].map((count) => Number((count * unit).toPrecision(15)))
  return candidates.filter((multiple) => {
    // There may be no multiple above the largest number, and no digits of a large one for the unit.
    return Number.isFinite(multiple) && multiple !== number && isMultiple(multiple, unit)
  })
}

/** The number as a whole multiple of a power of ten. */
function scaled({ digits, exponent }: Decimal, power: number): bigint {
  return BigInt(digits + '0'.repeat(exponent - power))
}

/** A sign and the zeros before the first other digit, as in -0012. */
const LEADING_ZEROS = /^-?0*/
/** The zeros at the end, as in 1200. Without the lookbehind, many zeros would take the square of the time. */
const TRAILING_ZEROS = /(?<!0)0+$/

function toDecimal(number: string): Decimal {
  const [mantissa = '', power = '0'] = number.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')

  const significant = (whole + fraction).replace(LEADING_ZEROS, '')
  const digits = significant.replace(TRAILING_ZEROS, '')
  const trailing = significant.length - digits.length
  return { digits, exponent: Number(power) - fraction.length + trailing }
}
