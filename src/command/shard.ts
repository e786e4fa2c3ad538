/** The option `--shard K/N`: only the Kth of every N files. */

export interface Shard {
  number: number
  of: number
}

/** For example "2/3". */
const SHARD = /^(\d{1,9})\/(\d{1,9})$/

/** @throws Error in one line if the option is invalid */
export function readShard(text = '1/1'): Shard {
  const [, number = 0, of = 0] = (SHARD.exec(text) ?? []).map(Number)
  if (number >= 1 && number <= of) return { number, of }

  throw new Error(
    `--shard must be K/N, with K from 1 to N, such as 2/3, but is ${JSON.stringify(text)}`,
  )
}
