/** Tells visitors apart by their addresses, which are only kept in memory, and counts what each does. */
import { isIPv6 } from 'node:net'

/** Returns what one visitor has: an IPv4 address, or an IPv6 network of 64 bits. */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? []
  if (mapped || !isIPv6(address)) return mapped ?? address
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros: string[] = Array(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}

/**
 * Returns a function that counts for an address, and resolves to how often that was in this window,
 * and in how many seconds the next one begins. By a clock that nobody sets back.
 *
 * @param window in milliseconds, the same for all addresses
 */
export function createCounter(window: number, now = () => performance.now()) {
  let counts = new Map<string, number>()
  let end = Number.NEGATIVE_INFINITY
  return (address: string) => {
    const moment = now()
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
