/** Splits the input `args` of the action into arguments. */

/** Such as `--strict`, `"my data/a.json"` or `--report='my report.html'`: quoted parts, and other characters. */
const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g

/** A quoted part of a word, such as `'my report.html'`. */
const QUOTED = /"([^"]*)"|'([^']*)'/g

/**
 * Splits a text at its spaces into words, as a shell does. A part in quotes may have spaces. A backslash is
 * a character as any other.
 *
 * @returns undefined if a quote isn't closed
 */
export function wordsOf(text: string): string[] | undefined {
  const betweenWords = text.replace(WORD, '')
  if (betweenWords.trim() !== '') return undefined

  const words = text.match(WORD) ?? []
  return words.map((word) => word.replace(QUOTED, (_, double, single) => double ?? single))
}
