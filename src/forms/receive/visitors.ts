/** Tells visitors apart by their addresses, and counts what each does. Nothing of it is stored. */
import ipaddr from 'ipaddr.js'

/**
 * Returns what one visitor has: an IPv4 address, or the first 64 bits of an IPv6 address. A text that
 * isn't an address, as a proxy may send it, stays as it is.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address

  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}

/** Counts a call for an address. */
type Counter = (address: string) => Tally

interface Tally {
  /** How often it was called for this visitor in the current window. */
  count: number
  /** In how many seconds the next window begins. */
  seconds: number
}

/**
 * Returns a counter whose windows last so many milliseconds, and are the same for all visitors. Its
 * clock is never set back, as those of the known libraries may be.
 */
export function createCounter(window: number): Counter {
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
