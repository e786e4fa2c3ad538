/** Whether this is `npm run test:long`. */
export const isLong = process.env.LONG === 'yes'

/** How often to try: a fifth of `count`, or twenty times `count` in `npm run test:long`. */
export function times(count: number): number {
  return isLong ? count * 20 : Math.ceil(count / 5)
}
