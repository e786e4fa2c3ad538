/** The words of texts, and the index of those of the bodies. Pure. */

/** Each word of the bodies, in order, with the numbers of the entries that have it. */
export type WordIndex = readonly (readonly [word: string, entries: readonly number[]])[]

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

/** Returns the numbers of the entries that have a word, or one that begins with it. */
export function entriesWith(index: WordIndex, wanted: string, isBeginning: boolean): Set<number> {
  const rows = index.filter(([word]) => (isBeginning ? word.startsWith(wanted) : word === wanted))
  return new Set(rows.flatMap(([, entries]) => entries))
}
