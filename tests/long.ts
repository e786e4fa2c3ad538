/** How often to try: so many times, or twenty times as often in `npm run test:long`. */
export function times(count: number): number {
  return process.env.LONG === 'yes' ? count * 20 : count
}
