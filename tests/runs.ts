/** How often a property is tried: the usual number, or under `npm run test:long` many more. */
export function runs(usual: number): number {
  return process.env.TEST_LONG ? usual * 50 : usual
}
