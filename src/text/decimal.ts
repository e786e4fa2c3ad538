/** Exact decimal arithmetic: which numbers survive `JSON.parse`, and which are multiples. */

/** A number as an integer without zeros at its end, times a power of ten. */
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
 * Returns what a number of a JSON text would become if it does not survive. An integer survives if
 * `JSON.stringify` writes the same integer, however either is spelled; -0 is 0. Of a fraction, the
 * last of 17 digits may change: 0.10000000000000001 is written 0.1.
 */
export function keptAs(number: string): number | undefined {
  const value = Number(number)
  if (String(value) === number) return undefined
  const [delivered, kept] = [toDecimal(number), toDecimal(String(value))]
  const isSame = delivered.digits === kept.digits && delivered.exponent === kept.exponent
  const isFraction = delivered.exponent < 0 && delivered.digits.length <= MOST_DIGITS
  const isNear = isFraction && Math.abs(value) >= SMALLEST_EXACT
  if (isSame || isNear || delivered.digits === '') return undefined
  return value
}

/** Whether one number is a whole multiple of another, both as JavaScript writes them. */
export function isMultiple(number: number, of: number): boolean {
  if (Number.isSafeInteger(number) && Number.isSafeInteger(of)) return number % of === 0
  const [value, unit] = [toDecimal(String(number)), toDecimal(String(of))]
  const lowest = Math.min(value.exponent, unit.exponent)
  const scale = ({ digits, exponent }: Decimal) => BigInt(digits + '0'.repeat(exponent - lowest))
  return scale(value) % scale(unit) === 0n
}

function toDecimal(number: string): Decimal {
  const [mantissa = '', power = '0'] = number.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const all = (whole + fraction).replace(/^-?0*/, '')
  // Without the lookbehind, it takes the square of the time for many zeros.
  const digits = all.replace(/(?<!0)0+$/, '')
  return { digits, exponent: Number(power) - fraction.length + all.length - digits.length }
}
