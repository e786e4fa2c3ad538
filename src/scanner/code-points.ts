/** Sets of Unicode code points, and their encoding as bytes of UTF-8. */
import type { AST } from '@eslint-community/regexpp'
import type { Language, Languages } from './automaton.ts'

/** Ranges of code points, both ends included, in order, neither overlapping nor adjacent. */
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

export function complement(set: CodePoints): CodePoints {
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
 * Asks the engine that will match `.`, `\s` or `\p{L}` which code points they match.
 *
 * @param last all code points beyond it match, or none does
 */
function matched(raw: string, last: number): CodePoints {
  const before = known.get(raw)
  if (before) return before
  const pattern = new RegExp(raw, 'u')
  const found: [number, number][] = []
  for (let code = 0; code <= last; code++) {
    if (pattern.test(String.fromCodePoint(code))) found.push([code, code])
  }
  if (pattern.test(String.fromCodePoint(LAST))) found.push([Math.min(last + 1, LAST), LAST])
  const set = union(found)
  known.set(raw, set)
  return set
}

/** In each range, characters have the same number of bytes (RFC 3629, section 3). No surrogates. */
const OF_ONE_LENGTH: CodePoints = [
  [0, 0x7f],
  [0x80, 0x7ff],
  [0x800, 0xd7ff],
  [0xe000, LAST_OF_BMP],
  [LAST_OF_BMP + 1, LAST],
]

/** One character of a set, as the bytes of UTF-8. */
export function utf8(of: Languages, set: CodePoints): Language {
  const bytes = (code: number) => [...Buffer.from(String.fromCodePoint(code))]
  const ranges = OF_ONE_LENGTH.flatMap((range) => intersection(set, [range]))
  return of.either(...ranges.map(([low, high]) => between(of, bytes(low), bytes(high))))
}

/** All characters from one to another with the same number of bytes. */
function between(of: Languages, low: number[], high: number[]): Language {
  const [first = 0, ...lows] = low
  const [last = 0, ...highs] = high
  if (lows.length === 0) return of.byte(first, last)
  if (first === last) return of.sequence(of.byte(first), between(of, lows, highs))
  const [least, most] = [lows.map(() => 0x80), lows.map(() => 0xbf)]
  return of.either(
    of.sequence(of.byte(first), between(of, lows, most)),
    of.sequence(of.byte(first + 1, last - 1), between(of, least, most)),
    of.sequence(of.byte(last), between(of, least, highs)),
  )
}
