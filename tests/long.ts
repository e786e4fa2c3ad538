/** Whether this is `npm run test:long`. */
export const isLong = process.env.LONG === 'yes'

/** How often to try: `count` times, or twenty times as often in `npm run test:long`. */
export function times(count: number): number {
  return isLong ? count * 20 : count
}
