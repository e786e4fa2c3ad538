/** JSON strings as languages: their characters, and those that a regular expression matches. */
import { createRequire } from 'node:module'
import type { AST } from '@eslint-community/regexpp'
import { type Language, type Languages, MOST_REPETITIONS, Unsayable } from './automaton.ts'
import {
  ALL,
  type CodePoints,
  codePointsOf,
  complement,
  intersection,
  utf8,
} from './code-points.ts'

// Loaded on demand: most builds have the grammar of the last one.
const require = createRequire(import.meta.url)
const regexpp = () =>
  require('@eslint-community/regexpp') as typeof import('@eslint-community/regexpp')

/** Creates languages of JSON strings, as `JSON.stringify` writes them, in UTF-8. */
export class Texts {
  readonly #languages: Languages
  /** Any one character. */
  readonly character: Language

  constructor(languages: Languages) {
    this.#languages = languages
    this.character = this.#characterOf(ALL)
  }

  quoted(content: Language): Language {
    const of = this.#languages
    return of.sequence(of.text('"'), of.both(content, of.many(this.character)), of.text('"'))
  }

  #characterOf(set: CodePoints): Language {
    const of = this.#languages
    const escaped = intersection(set, MUST_ESCAPE).flatMap(([low, high]) =>
      Array.from({ length: high - low + 1 }, (_, each) => String.fromCodePoint(low + each)),
    )
    return of.either(
      utf8(of, intersection(set, complement(MUST_ESCAPE))),
      ...escaped.map((character) => of.text(JSON.stringify(character).slice(1, -1))),
    )
  }

  /**
   * Exactly the strings in which a regular expression with the flag `u` finds a match. None may be
   * left out, because a negative look-ahead would turn it into a wrong match.
   *
   * @throws Unsayable
   */
  pattern(source: string): Language {
    const of = this.#languages
    const anything = of.many(this.character)
    return of.either(
      ...parsePattern(source).alternatives.map(({ elements }) => {
        const [first, ...rest] = elements
        const isAtStart = first?.type === 'Assertion' && first.kind === 'start'
        const match = this.#elements(isAtStart ? rest : elements, anything)
        return isAtStart ? match : of.sequence(anything, match)
      }),
    )
  }

  /** Elements in sequence, and what may follow them up to the end of the string. */
  #elements(elements: readonly AST.Element[], after: Language): Language {
    return elements.reduceRight((then, element) => this.#element(element, then), after)
  }

  #alternatives(alternatives: readonly AST.Alternative[], after: Language): Language {
    return this.#languages.either(
      ...alternatives.map(({ elements }) => this.#elements(elements, after)),
    )
  }

  #element(element: AST.Element, after: Language): Language {
    const of = this.#languages
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return of.sequence(this.#characterOf(codePointsOf(element)), after)
      case 'Group':
        if (element.modifiers) break
        return this.#alternatives(element.alternatives, after)
      case 'CapturingGroup':
        return this.#alternatives(element.alternatives, after)
      case 'Quantifier':
        return this.#quantifier(element, after)
      case 'Assertion': {
        if (element.kind === 'end') return of.both(after, of.empty)
        if (element.kind !== 'lookahead') break
        const seen = this.#alternatives(element.alternatives, of.many(this.character))
        return of.both(element.negate ? of.not(seen) : seen, after)
      }
    }
    throw new Unsayable()
  }

  #quantifier({ element, min, max }: AST.Quantifier, after: Language): Language {
    const of = this.#languages
    if (!looksAround(element)) {
      return of.sequence(of.repeat(this.#element(element, of.empty), min, max), after)
    }
    if (max > MOST_REPETITIONS) throw new Unsayable()
    let then = after
    for (let count = max; count > 0; count--) {
      const again = this.#element(element, then)
      then = count > min ? of.either(again, after) : again
    }
    return then
  }
}

/** The engine may support syntax that the parser does not, such as the name of a new script. */
function parsePattern(source: string): AST.Pattern {
  try {
    return new (regexpp().RegExpParser)().parsePattern(source, 0, source.length, { unicode: true })
  } catch (error) {
    if (error instanceof SyntaxError) throw new Unsayable()
    throw error
  }
}

/** Returns whether an element's match depends on what follows it. */
function looksAround(element: AST.Element): boolean {
  let looks = false
  const onAssertionEnter = () => {
    looks = true
  }
  regexpp().visitRegExpAST(element, { onAssertionEnter })
  return looks
}

/** RFC 8259, section 7; `JSON.stringify` escapes nothing else. */
const MUST_ESCAPE: CodePoints = [
  [0, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
]
