/**
 * Counts the forms of each address in a window of time: a store for `@fastify/rate-limit`, whose own
 * one reads the clock of the day. When that clock jumps back, a window would last until it is there
 * again.
 */
import type { FastifyRateLimitStore } from '@fastify/rate-limit'

/** How many addresses are tracked. Beyond that, the least recently seen are dropped. */
const ADDRESSES = 100_000

export class RateWindows implements FastifyRateLimitStore {
  /** By address, the least recently seen first. `end` is by `performance.now()`. */
  #windows = new Map<string, { current: number; end: number }>()

  incr(
    address: string,
    tell: Parameters<FastifyRateLimitStore['incr']>[1],
    milliseconds: number,
  ): void {
    const now = performance.now()
    const last = this.#windows.get(address)
    const { current, end } = last && last.end > now ? last : { current: 0, end: now + milliseconds }
    this.#windows.delete(address)
    this.#windows.set(address, { current: current + 1, end })
    const [oldest = ''] = this.#windows.size > ADDRESSES ? this.#windows.keys() : []
    this.#windows.delete(oldest)
    tell(null, { current: current + 1, ttl: end - now })
  }

  /** The plugin asks for one for each limit. */
  child(): RateWindows {
    return new RateWindows()
  }
}
