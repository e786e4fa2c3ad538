/** Makes what the index needs, and no other screen: all cards, and the words and texts of the search. Pure. */
import { type Found, type IndexData, type Lookup, STEP } from '../app/lookup.ts'
import type { WordIndex } from '../app/search.ts'
import { wordsOf } from '../app/search-words.ts'
import { decodeInText } from '../page/local-addresses.ts'
import { sha256Of } from '../text/digest.ts'

/** The most pairs of a word and an entry in a part of the index. A word with more is a part alone. */
const MOST_PAIRS = 30_000

/** The most characters in a part of the texts. A page with more is a part alone. */
const MOST_CHARACTERS = 100_000

/** Returns what the search finds in a page: the text of its body, and what `content.ts` adds. */
function textsOf({ page, searched = [] }: Found): string[] {
  const body = textOfBody(page.contentHtml).replace(/\s+/g, ' ').trim()
  return [body, ...searched]
}

/** Returns the texts of all entries, in their order. */
export function allTexts({ entries, find }: Lookup): string[][] {
  return entries.map(({ path }) => {
    const found = find(path)
    if (!found) throw new Error(`The index names ${path}, but there is no such page.`)
    return textsOf(found)
  })
}

/** Returns the index of all words, in parts. */
export function indexWords(texts: readonly string[][], most = MOST_PAIRS): WordIndex[] {
  const rows = new Map<string, { last: number; steps: number[] }>()

  for (const [number, textsOfEntry] of texts.entries()) {
    for (const word of new Set(textsOfEntry.flatMap(wordsOf))) {
      const row = rows.get(word)
      if (row) {
        row.steps.push(number - row.last)
        row.last = number
      } else {
        rows.set(word, { last: number, steps: [number] })
      }
    }
  }

  // By code unit: the same on every machine.
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  const index = sorted.map(([word, { steps }]) => [word, steps] as const)
  return divide(index, most, ([word, steps]) => ({ size: steps.length, name: word }))
}

/**
 * Divides items into parts of a size. A part also ends, once it is half full, at an item whose name
 * says so: an item more or less must not move the ends of all parts that follow.
 */
function divide<Item>(
  items: readonly Item[],
  most: number,
  describe: (item: Item, at: number) => { size: number; name: string },
): Item[][] {
  const parts: Item[][] = []
  let sizeOfPart = 0

  for (const [at, item] of items.entries()) {
    const { size, name } = describe(item, at)
    sizeOfPart += size

    const isEnd = sizeOfPart > most / 2 && sha256Of(name).startsWith('0')
    if (parts.length === 0 || sizeOfPart > most || isEnd) {
      parts.push([])
      sizeOfPart = size
    }

    parts.at(-1)?.push(item)
  }
  return parts
}

/** A tag that may stand within a word. All others end one. */
const TAG_IN_WORD = /<\/?(?:a|abbr|code|em|strong)\b[^>]*>/g

/** Returns the text of a body. */
export function textOfBody(html: string): string {
  const withoutTags = html.replace(TAG_IN_WORD, '').replace(/<[^>]*>/g, ' ')
  // Parsing a whole body takes as long as everything else that is done with its text.
  return withoutTags.replace(/&#?\w+;?/g, decodeInText)
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

  const { entries } = lookup
  const texts = allTexts(lookup)
  const words = indexWords(texts).map((part) => [part[0]?.[0] ?? '', add('words', part)] as const)

  const textParts: [first: number, name: string][] = []
  let first = 0
  for (const part of divideTexts(texts, entries)) {
    textParts.push([first, add('texts', part)])
    first += part.length
  }

  const data: IndexData = {
    entries: entries.length > STEP ? add('list', entries) : entries,
    words,
    texts: textParts,
  }
  return { data, files }
}

/** Divides the texts of all entries into parts, each for a file. */
function divideTexts(texts: string[][], entries: Lookup['entries']): string[][][] {
  return divide(texts, MOST_CHARACTERS, (textsOfEntry, number) => ({
    size: textsOfEntry.join('').length,
    name: entries[number]?.path ?? '',
  }))
}
