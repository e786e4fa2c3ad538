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
  return divide(index, most, ([, steps]) => steps.length)
}

/** Divides items into parts of a size. An item that is larger is a part alone. */
function divide<Item>(
  items: readonly Item[],
  most: number,
  sizeOf: (item: Item) => number,
): Item[][] {
  const parts: Item[][] = []
  let sizeOfPart = 0

  for (const item of items) {
    const size = sizeOf(item)
    sizeOfPart += size

    if (parts.length === 0 || sizeOfPart > most) {
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
  for (const part of divide(texts, MOST_CHARACTERS, lengthOf)) {
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

/** Returns how many characters some texts have. */
function lengthOf(texts: readonly string[]): number {
  return texts.join('').length
}
