/** Tells visitors apart by their addresses, and counts what each does. Nothing of it is stored. */
import ipaddr from 'ipaddr.js'

/**
 * Returns what one visitor has: an IPv4 address, or the first 64 bits of an IPv6 address. A text that
 * is no address, as a proxy may send it, stays as it is.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}

/**
 * Returns a function that counts how often it was called for an address in a window of so many
 * milliseconds, the same for all. It returns the count, and in how many seconds the next one begins.
 * Its clock is never set back, as those of the known libraries may be.
 */
export function createCounter(window: number) {
  let counts = new Map<string, number>()
  let end = Number.NEGATIVE_INFINITY
  return (address: string) => {
    const moment = performance.now()
    if (moment >= end) {
      counts = new Map()
      end = moment + window
    }
    const network = networkOf(address)
    const count = (counts.get(network) ?? 0) + 1
    counts.set(network, count)
    return { count, seconds: Math.ceil((end - moment) / 1000) }
  }
}
