/** The words of texts, and the index of those that the search finds besides titles and paths. Pure. */

/**
 * Each word, in order of code units, with the numbers of the entries that have it: the first, then
 * how much larger each is than the one before. The index is in parts, which load when a text needs
 * them.
 */
export type WordIndex = readonly (readonly [word: string, steps: readonly number[]])[]

/** Returns a text in lower case and without accents: the marks of its canonical decomposition. */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}

/** Returns the words of a text, folded: runs of letters and digits. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

/**
 * Returns the numbers of the parts of the index that the words of a text may be in. The last word
 * may be the beginning of one.
 *
 * @param firsts the first word of each part
 */
export function partsFor(text: string, firsts: readonly string[]): number[] {
  const words = wordsOf(text)
  const needed = words.map((word, at) => {
    const isBeginning = at === words.length - 1
    const start = Math.max(
      0,
      firsts.findLastIndex((first) => first <= word),
    )
    return firsts.flatMap((first, number) => {
      return number === start || (number > start && isBeginning && first.startsWith(word))
        ? number
        : []
    })
  })
  return [...new Set(needed.flat())]
}

/** Returns the numbers of the entries that have a word, or one that begins with it. */
export function entriesWith(index: WordIndex, wanted: string, isBeginning: boolean): Set<number> {
  const entries = new Set<number>()
  for (const [word, steps] of index) {
    if (isBeginning ? !word.startsWith(wanted) : word !== wanted) continue
    let entry = 0
    for (const step of steps) {
      entry += step
      entries.add(entry)
    }
  }
  return entries
}
