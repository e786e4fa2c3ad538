/** Makes what the index needs, and no other screen: all cards, and the words of the search. Pure. */
import { decodeInText } from '../../page/local-addresses.ts'
import { sha256Of } from '../../text/digest.ts'
import { type Found, type IndexData, type Lookup, STEP } from '../content/lookup.ts'
import { type WordIndex, wordsOf } from '../content/search.ts'
import { withoutTags } from '../content/trusted-body.ts'

/** The most pairs of a word and an entry in a part of the index. A word with more is a part alone. */
const MOST_PAIRS = 30_000

/** Returns the index of all entries, in parts. */
export function indexWords({ entries, find }: Lookup, most = MOST_PAIRS): WordIndex[] {
  const index = new Map<string, { last: number; steps: number[] }>()
  for (const [number, { path }] of entries.entries()) {
    const { page, searched = [] } = find(path) as Found
    const texts = [textByParse5(page.contentHtml), ...searched]
    for (const word of new Set(texts.flatMap(wordsOf))) {
      const row = index.get(word)
      row?.steps.push(number - row.last)
      if (row) row.last = number
      else index.set(word, { last: number, steps: [number] })
    }
  }
  // By code unit: the same on every machine.
  const rows = [...index].sort(([a], [b]) => (a < b ? -1 : 1))
  const parts: [word: string, steps: number[]][][] = []
  let pairs = 0
  for (const [word, { steps }] of rows) {
    pairs += steps.length
    // A word more or less must not move the ends of all parts that follow.
    const isEnd = pairs > most / 2 && sha256Of(word).startsWith('0')
    if (parts.length === 0 || pairs > most || isEnd) {
      parts.push([])
      pairs = steps.length
    }
    parts.at(-1)?.push([word, steps])
  }
  return parts
}

/** Returns the text of a body, in the build. The browser has `textByDom`. */
export function textByParse5(html: string): string {
  // To parse a whole body takes as long as all else that is done with its text.
  return withoutTags(html).replace(/&#?\w+;?/g, decodeInText)
}

/** Returns the data of the index, and the texts of its files by their addresses in `folder`. */
export function indexFiles(lookup: Lookup, folder: string) {
  const files = new Map<string, string>()
  const add = (name: string, value: unknown) => {
    const text = JSON.stringify(value)
    const address = `${folder}/${name}-${sha256Of(text).slice(0, 16)}.json`
    files.set(address, text)
    return address
  }
  const words = indexWords(lookup).map((part) => [part[0]?.[0] ?? '', add('words', part)] as const)
  const { entries } = lookup
  const data: IndexData = {
    entries: entries.length > STEP ? add('list', entries) : entries,
    words,
  }
  return { data, files }
}
