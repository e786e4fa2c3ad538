/**
 * Generates sample batches: which paths each claims, when, and which of them are duplicates. Pure:
 * the same options produce the same batches on any machine. Every choice is computed from the seed
 * and the place of a page, never stored, so memory holds one batch, however many pages there are.
 */
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator'
import { body, CATEGORIES, capital } from './prose.ts'

/** A page of the shipped schema. */
export interface Page {
  path: string
  title: string
  contentHtml: string
  form: { fields: Field[] } | null
  createdAt: string
  updatedAt: string
}

interface Field {
  name: string
  label: string
  type: 'text' | 'email' | 'textarea'
  placeholder: string
  required: boolean
}

export interface SampleOptions {
  /** The number of unique paths over all batches. */
  pages: number
  batches: number
  /** The number of further records that repeat a path, as a share of the pages. */
  duplicates: number
  /** The share of the pages that have a form. */
  forms: number
  /** An unsigned 32-bit integer. */
  seed: number
}

// 1. Which batch claims which page ----------------------------------------------------------------

/** A planned record: the page it claims, the batch whose times it has, and its body. */
interface Claim {
  page: number
  batch: number
  /** 0 is the body of the first record to claim the page. */
  variant: number
}

/**
 * Generates sample batches, one at a time. In each, the numbers start at 001 and never go down. In
 * total, there are exactly `pages` paths. A duplicate repeats a path that an earlier batch, or an
 * earlier record of its own batch, claimed: one in six as an identical copy, the others with their
 * own body and times.
 *
 * Pages are counted in the order of their numbers. The first ones have number 001, one for each
 * batch while there are categories left. The others are dealt out in rounds: each batch gets one
 * page of a round, starting at a random batch. So a batch's pages spread over all numbers, and
 * both "which page" and "which batch" are arithmetic.
 */
export function* sampleBatches(options: SampleOptions): Generator<Page[], void> {
  const deal = new Deal(options)
  const record = recorder(options, deal.heads)

  for (let batch = 0; batch < options.batches; batch++) {
    const claims = [...deal.firstClaims(batch), ...deal.duplicates(batch)]
    claims.sort((a, b) => a.page - b.page)
    yield claims.map(record)
  }
}

/** Deals the pages out to the batches. Ask for the duplicates of each batch in turn. */
class Deal {
  /** How many pages have number 001. */
  readonly heads: number
  readonly #options: SampleOptions
  /** How many rounds follow round 0, which deals the pages with number 001. */
  readonly #rounds: number
  /** How many duplicates all batches have. */
  readonly #duplicates: number
  /** How many duplicates were dealt so far. */
  #dealt = 0

  constructor(options: SampleOptions) {
    const { pages, batches, duplicates } = options
    this.#options = options
    this.heads = Math.min(batches, CATEGORIES.length, pages)
    this.#rounds = Math.ceil((pages - this.heads) / batches)
    this.#duplicates = Math.round(duplicates * pages)
  }

  /** The pages that a batch is the first to claim. */
  firstClaims(batch: number): Claim[] {
    const claims: Claim[] = []
    for (let round = 0; round <= this.#rounds; round++) {
      const page = this.#pageOf(batch, round)
      if (page !== undefined) claims.push({ page, batch, variant: 0 })
    }
    return claims
  }

  /** The records of a batch that repeat a path. */
  duplicates(batch: number): Claim[] {
    const count = this.#countIn(batch)
    return Array.from({ length: count }, (_, position) => this.#duplicate(batch, position, count))
  }

  /** @param position among the `count` duplicates of the batch */
  #duplicate(batch: number, position: number, count: number): Claim {
    const { batches, seed } = this.#options
    const number = this.#dealt++
    const rng = random(seed, number, STREAM.duplicate)

    const isOfOwnBatch = batches === 1 || number % 11 === 10
    const source = isOfOwnBatch ? batch : uniformInt(rng, 0, batch - 1)
    const round = this.#roundOf(rng, position, count)
    const dealt = this.#pageOf(source, round)
    const page = dealt ?? source % this.heads

    const isIdentical = number % 6 === 5
    if (!isIdentical) return { page, batch, variant: number + 1 }

    const firstBatch = dealt === undefined ? page : source
    return { page, batch: firstBatch, variant: 0 }
  }

  /** The first duplicate of a batch is of a page 001, the others are spread over the rounds. */
  #roundOf(rng: RandomGenerator, position: number, count: number): number {
    if (position === 0) return 0

    const from = 1 + Math.floor(((position - 1) * this.#rounds) / (count - 1))
    const to = Math.floor((position * this.#rounds) / (count - 1))
    return uniformInt(rng, from, Math.max(from, to))
  }

  /** The page that a batch gets in a round, if it gets one. */
  #pageOf(batch: number, round: number): number | undefined {
    if (round === 0) return batch < this.heads ? batch : undefined

    const { pages, batches, seed } = this.#options
    const turn = uniformInt(random(seed, round, STREAM.turn), 0, batches - 1)
    const page = this.heads + (round - 1) * batches + ((batch + turn) % batches)
    return page < pages ? page : undefined
  }

  /**
   * Shares of the duplicates that sum up to all of them. If there are few, the last batches get one
   * first, because they have no page of their own to start with.
   */
  #countIn(batch: number): number {
    const { batches } = this.#options
    if (batches === 1) return this.#duplicates
    if (batch === 0) return 0
    return Math.floor((this.#duplicates - 1 + batch) / (batches - 1))
  }
}

// 2. Records --------------------------------------------------------------------------------------

const FIRST_BATCH = Date.UTC(2025, 7, 28, 10, 15)
const BETWEEN_BATCHES = 4 * 60_000
// All batches start within these 12 hours and a page is updated within 45 minutes. That ends before
// midnight, so all times are on the same day, however many batches there are.
const ALL_BATCHES = 12 * 60 * 60_000
const UPDATE_SECONDS = 45 * 60

const NAME = {
  name: 'name',
  label: 'Your Name',
  type: 'text',
  placeholder: 'Enter your name',
  required: true,
} as const
const EMAIL = {
  name: 'email',
  label: 'Email Address',
  type: 'email',
  placeholder: 'you@example.com',
  required: true,
} as const
const MESSAGE = {
  name: 'message',
  label: 'Message',
  type: 'textarea',
  placeholder: 'Your message...',
  required: false,
} as const
const SHORT_FORM: Page['form'] = { fields: [NAME, EMAIL] }
const LONG_FORM: Page['form'] = { fields: [NAME, EMAIL, MESSAGE] }

function recorder(options: SampleOptions, heads: number): (claim: Claim) => Page {
  const { pages, batches, seed } = options
  const sections = CATEGORIES.length
  let top = 100 // the highest number
  while (sections * top < pages) top *= 10
  const width = String(top).length

  const categories = shuffled(CATEGORIES, random(seed, 0, STREAM.categories))
  const spacing = Math.min(BETWEEN_BATCHES, ALL_BATCHES / batches)

  const withForm = Math.round(options.forms * pages)
  const formStep = coprime(pages)
  const formStart = uniformInt(random(seed, 0, STREAM.forms), 0, pages - 1)

  // Each page has its own range of the slots (numbers times categories), and a random slot in it.
  // At most one page per slot means at most 16 pages per number, and neighbors differ in category,
  // so no two pages share a path.
  const start = (page: number): number =>
    heads + Math.floor(((page - heads) * (sections * top - heads)) / (pages - heads))
  const numberOf = (page: number): number => {
    if (page < heads) return 1
    if (page === pages - 1) return top

    const rng = random(seed, page, STREAM.number)
    const slot = uniformInt(rng, start(page), start(page + 1) - 1)
    return 1 + Math.floor(slot / sections)
  }

  return ({ page, batch, variant }) => {
    const rng = random(seed, page, variant)
    const category = categories[page % sections] as string
    const id = String(numberOf(page)).padStart(width, '0')

    // A bijection of the pages, evenly scattered: `withForm` of them get a place below `withForm`.
    const place = (page * formStep + formStart) % pages
    const form = place % 2 === 0 ? SHORT_FORM : LONG_FORM

    const created = FIRST_BATCH + Math.round(spacing * (batch + (0.75 * page) / pages))
    const untouched = uniformInt(rng, 0, 2) === 0
    const updated = created + (untouched ? 0 : uniformInt(rng, 1, UPDATE_SECONDS) * 1000)

    return {
      path: `/${category}/${id}`,
      title: `${capital(category)} Page ${id}`,
      contentHtml: body(rng, category),
      form: place < withForm ? form : null,
      createdAt: new Date(created).toISOString(),
      updatedAt: new Date(updated).toISOString(),
    }
  }
}

// 3. Chance ---------------------------------------------------------------------------------------

/** The random choices besides bodies. Bodies have the variants from 0. */
const STREAM = { turn: -1, duplicate: -2, number: -3, categories: -4, forms: -5 }

/** A separate generator for every choice, so that no choice depends on the order of the others. */
function random(seed: number, index: number, variant: number): RandomGenerator {
  const a = mix(seed)
  const b = mix(a ^ index)
  const c = mix(b ^ variant)
  return xoroshiro128plusFromState([a, b, c, mix(c ^ 0x9e3779b9)])
}

/** MurmurHash3's finalizer: a bijection of 32 bits in which every bit of the input counts. */
function mix(value: number): number {
  let bits = value
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}

function shuffled<T>(items: readonly T[], rng: RandomGenerator): T[] {
  const left = [...items]
  return items.flatMap(() => left.splice(uniformInt(rng, 0, left.length - 1), 1))
}

/** A number near 0.618 times `count` that has no divisor in common with it. */
function coprime(count: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  let step = Math.round(count * 0.618)
  while (divisor(step, count) !== 1) step++
  return step
}
