/** Hides what a set of Unicode code points is, and how it reads as bytes of UTF-8. */
import type { AST } from '@eslint-community/regexpp'
import type { Language, Languages } from './automaton.ts'

/** Ranges of code points, both ends included, in order and without touching one another. */
export type CodePoints = readonly (readonly [low: number, high: number])[]

const LAST = 0x10ffff
const LAST_OF_BMP = 0xffff

export const ALL: CodePoints = [[0, LAST]]

function union(...sets: CodePoints[]): CodePoints {
  const united: [number, number][] = []
  for (const [low, high] of sets.flat().sort(([a], [b]) => a - b)) {
    const last = united.at(-1)
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high)
    else united.push([low, high])
  }
  return united
}

function complement(set: CodePoints): CodePoints {
  const rest: [number, number][] = []
  let from = 0
  for (const [low, high] of set) {
    if (low > from) rest.push([from, low - 1])
    from = high + 1
  }
  if (from <= LAST) rest.push([from, LAST])
  return rest
}

export function intersection(a: CodePoints, b: CodePoints): CodePoints {
  return complement(union(complement(a), complement(b)))
}

type OneCharacter = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.CharacterClassRange

/** The code points that an element of a regular expression with the flag `u` matches. */
export function codePointsOf(element: OneCharacter): CodePoints {
  switch (element.type) {
    case 'Character':
      return [[element.value, element.value]]
    case 'CharacterClassRange':
      return [[element.min.value, element.max.value]]
    case 'CharacterClass': {
      const members = union(...element.elements.map((each) => codePointsOf(each as OneCharacter)))
      return element.negate ? complement(members) : members
    }
    case 'CharacterSet':
      return matched(element.raw, element.kind === 'property' ? LAST : LAST_OF_BMP)
  }
}

const known = new Map<string, CodePoints>()

/**
 * What `.`, `\s` or `\p{L}` match is best said by the engine that is going to match them.
 *
 * @param last beyond it all code points are alike
 */
function matched(raw: string, last: number): CodePoints {
  let set = known.get(raw)
  if (set === undefined) {
    const pattern = new RegExp(raw, 'u')
    const found: [number, number][] = []
    for (let code = 0; code <= last; code++) {
      if (!pattern.test(String.fromCodePoint(code))) continue
      const range = found.at(-1)
      if (range && range[1] === code - 1) range[1] = code
      else found.push([code, code])
    }
    if (last < LAST && pattern.test(String.fromCodePoint(LAST))) found.push([last + 1, LAST])
    set = found
    known.set(raw, set)
  }
  return set
}

const SURROGATES: CodePoints = [[0xd800, 0xdfff]]
/** Where UTF-8 takes one byte more (RFC 3629, section 3). */
const LENGTHS = [0x7f, 0x7ff, 0xffff, LAST]

/** One character of a set, as the bytes of UTF-8. */
export function utf8(languages: Languages, set: CodePoints): Language {
  const parts: Language[] = []
  const add = (low: number, high: number): void => {
    const limit = LENGTHS.find((last) => low <= last) as number
    if (high > limit) {
      add(low, limit)
      add(limit + 1, high)
      return
    }
    const first = [...Buffer.from(String.fromCodePoint(low))]
    const last = [...Buffer.from(String.fromCodePoint(high))]
    // A range of bytes at one place wants whole ranges at all places after it.
    for (let after = 1; after < first.length; after++) {
      const bits = (1 << (6 * after)) - 1
      if ((low | bits) === (high | bits)) break
      if ((low & bits) !== 0) {
        add(low, low | bits)
        add((low | bits) + 1, high)
        return
      }
      if ((high & bits) !== bits) {
        add(low, (high | bits) - bits - 1)
        add((high | bits) - bits, high)
        return
      }
    }
    parts.push(
      languages.sequence(...first.map((byte, at) => languages.byte(byte, last[at] as number))),
    )
  }
  for (const [low, high] of intersection(set, complement(SURROGATES))) add(low, high)
  return languages.either(...parts)
}
