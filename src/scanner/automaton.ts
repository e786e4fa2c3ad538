/**
 * Compiles languages of bytes to a table. Languages are regular expressions with intersection and
 * complement. The states are found by taking derivatives (Brzozowski 1964), which needs neither a
 * nondeterministic automaton nor any special case for look-ahead. Equal expressions are one object,
 * so equal states are one state.
 */

/** A language that cannot be expressed, or not in reasonable time and memory. */
export class Unsayable extends Error {}

/** A set of strings of bytes. */
export interface Language {
  readonly id: number
  /** Whether the empty string is in it. */
  readonly isNullable: boolean
  readonly kind: 'set' | 'sequence' | 'either' | 'both' | 'not' | 'many' | 'nothing' | 'empty'
  readonly parts: readonly Language[]
  /** Of a set: the bytes, as a mask of 256 bits. */
  readonly mask: bigint
}

/** This much work takes about two seconds. */
const MOST_WORK = 6_000_000
export const MOST_REPETITIONS = 1_000

/** Creates languages. Only languages of the same instance may be combined. */
export class Languages {
  readonly #known = new Map<string, Language>()
  readonly #derived = new Map<number, Language>()
  /** How many parts have been combined. */
  #work = 0
  /** Contains no string at all. */
  readonly nothing = this.#make('nothing', [], false)
  /** Contains the empty string only. */
  readonly empty = this.#make('empty', [], true)
  /** Contains every string. */
  readonly everything = this.#make('not', [this.nothing], true)

  #make(kind: Language['kind'], parts: readonly Language[], isNullable: boolean, mask = 0n) {
    const key = `${kind} ${parts.map(({ id }) => id).join(' ')} ${mask.toString(36)}`
    let language = this.#known.get(key)
    if (!language) {
      language = { id: this.#known.size, kind, parts, isNullable, mask }
      this.#known.set(key, language)
    }
    return language
  }

  /** One byte from `low` to `high`. */
  byte(low: number, high = low): Language {
    return this.set(((1n << BigInt(high - low + 1)) - 1n) << BigInt(low))
  }

  /** One byte of a mask. */
  set(mask: bigint): Language {
    return mask === 0n ? this.nothing : this.#make('set', [], false, mask)
  }

  /** The bytes of a text in UTF-8. */
  text(text: string): Language {
    return this.sequence(...[...Buffer.from(text)].map((byte) => this.byte(byte)))
  }

  sequence(...parts: Language[]): Language {
    let after = this.empty
    for (const part of parts.toReversed()) after = this.#pair(part, after)
    return after
  }

  #pair(first: Language, then: Language): Language {
    if (first === this.nothing || then === this.nothing) return this.nothing
    if (first === this.empty) return then
    if (then === this.empty) return first
    if (first.kind === 'sequence') {
      const [head, tail] = first.parts as [Language, Language]
      return this.#pair(head, this.#pair(tail, then))
    }
    return this.#make('sequence', [first, then], first.isNullable && then.isNullable)
  }

  either(...parts: Language[]): Language {
    return this.#combine('either', parts, this.nothing, this.everything)
  }

  both(...parts: Language[]): Language {
    return this.#combine('both', parts, this.everything, this.nothing)
  }

  /** Combines any number of parts. Their order and repetition do not matter. */
  #combine(kind: 'either' | 'both', parts: Language[], neutral: Language, all: Language) {
    const flat = new Set<Language>()
    const flattened = parts.flatMap((part) => (part.kind === kind ? part.parts : part))
    this.#work += flattened.length
    if (this.#work > MOST_WORK) throw new Unsayable()
    let mask: bigint | undefined
    for (const part of flattened) {
      if (part === all) return all
      if (part.kind !== 'set') flat.add(part)
      else if (mask === undefined) mask = part.mask
      else mask = kind === 'either' ? mask | part.mask : mask & part.mask
    }
    if (mask !== undefined) flat.add(this.set(mask))
    flat.delete(neutral)
    if (flat.has(all)) return all
    const [only = neutral] = flat
    if (flat.size <= 1) return only
    const sorted = [...flat].sort((a, b) => a.id - b.id)
    const isNullable =
      kind === 'either'
        ? sorted.some((part) => part.isNullable)
        : sorted.every((part) => part.isNullable)
    // An intersection with the empty string is the empty string or nothing.
    if (kind === 'both' && flat.has(this.empty)) return isNullable ? this.empty : this.nothing
    return this.#make(kind, sorted, isNullable)
  }

  not(part: Language): Language {
    return part.kind === 'not'
      ? (part.parts[0] as Language)
      : this.#make('not', [part], !part.isNullable)
  }

  /** Any number of times, including none. */
  many(part: Language): Language {
    if (part === this.nothing || part === this.empty) return this.empty
    return part.kind === 'many' ? part : this.#make('many', [part], true)
  }

  /** From `least` to `most` times; `nothing` if `most` is less than `least`. */
  repeat(part: Language, least: number, most = Number.POSITIVE_INFINITY): Language {
    if (least > most || most < 0) return this.nothing
    const isOpen = most === Number.POSITIVE_INFINITY
    const longest = isOpen ? least : most
    if (longest > MOST_REPETITIONS) throw new Unsayable()
    let after = isOpen ? this.many(part) : this.empty
    for (let count = longest; count > 0; count--) {
      const again = this.sequence(part, after)
      after = count > least ? this.either(again, this.empty) : again
    }
    return after
  }

  /** The derivative of a language: what may follow a byte in it. */
  derive(language: Language, byte: number): Language {
    const key = language.id * 256 + byte
    let derived = this.#derived.get(key)
    if (!derived) {
      derived = this.#derive(language, byte)
      this.#derived.set(key, derived)
    }
    return derived
  }

  #derive(language: Language, byte: number): Language {
    const { kind, parts, mask } = language
    switch (kind) {
      case 'nothing':
      case 'empty':
        return this.nothing
      case 'set':
        return (mask >> BigInt(byte)) & 1n ? this.empty : this.nothing
      case 'sequence': {
        const [first, then] = parts as [Language, Language]
        const inFirst = this.#pair(this.derive(first, byte), then)
        return first.isNullable ? this.either(inFirst, this.derive(then, byte)) : inFirst
      }
      case 'either':
        return this.either(...parts.map((part) => this.derive(part, byte)))
      case 'both':
        return this.both(...parts.map((part) => this.derive(part, byte)))
      case 'not':
        return this.not(this.derive(parts[0] as Language, byte))
      case 'many':
        return this.#pair(this.derive(parts[0] as Language, byte), language)
    }
  }
}

/** Deterministic automata over bytes, in one table, as JSON values. State 0 is the dead state. */
export interface Automaton {
  /** The class of each byte: bytes that lead to the same states everywhere are in one class. */
  classes: readonly number[]
  /** How many classes there are. */
  width: number
  /** The next states, indexed by state times width plus class. */
  next: readonly number[]
  /** Whether a string may end in each state: 1 or 0. */
  accepts: readonly number[]
  /** The first state of each language. */
  starts: readonly number[]
}

const MOST_STATES = 8_000

/** @throws Unsayable when it would have too many states */
export function toAutomaton(languages: Languages, of: readonly Language[]): Automaton {
  const { classes, width } = classesOf(of)
  const bytes = Array.from({ length: width }, (_, each) => classes.indexOf(each))
  const states: Language[] = [languages.nothing]
  const numbers = new Map([[languages.nothing, 0]])
  const numberOf = (language: Language): number => {
    let number = numbers.get(language)
    if (number === undefined) {
      number = states.push(language) - 1
      numbers.set(language, number)
      if (number > MOST_STATES) throw new Unsayable()
    }
    return number
  }
  const starts = of.map(numberOf)
  const next: number[] = []
  for (const state of states) {
    for (const byte of bytes) next.push(numberOf(languages.derive(state, byte)))
  }
  const accepts = states.map(({ isNullable }) => (isNullable ? 1 : 0))
  const leads = canAccept(next, width, accepts)
  const trimmed = next.map((state) => (leads[state] ? state : 0))
  return { classes, width, next: trimmed, accepts, starts }
}

/** Returns for each state whether an accepting one can be reached from it. */
function canAccept(next: readonly number[], width: number, accepts: readonly number[]): boolean[] {
  const before = Array.from(accepts, () => [] as number[])
  for (const [index, state] of next.entries()) before[state]?.push(Math.floor(index / width))
  const leads = Array.from(accepts, (accepting) => accepting === 1)
  const waiting = [...leads.keys()].filter((state) => leads[state])
  for (const state of waiting) {
    for (const earlier of before[state] ?? []) {
      if (leads[earlier]) continue
      leads[earlier] = true
      waiting.push(earlier)
    }
  }
  return leads
}

/** Two bytes are in one class when every set has both or neither. */
function classesOf(of: readonly Language[]): { classes: number[]; width: number } {
  const sets = new Set<bigint>()
  const seen = new Set<Language>()
  const visit = (language: Language): void => {
    if (seen.has(language)) return
    seen.add(language)
    if (language.kind === 'set') sets.add(language.mask)
    language.parts.forEach(visit)
  }
  of.forEach(visit)
  const numbers = new Map<string, number>()
  const classes = Array.from({ length: 256 }, (_, byte) => {
    const members = [...sets].map((mask) => (mask >> BigInt(byte)) & 1n).join('')
    const number = numbers.get(members) ?? numbers.size
    numbers.set(members, number)
    return number
  })
  return { classes, width: numbers.size }
}
