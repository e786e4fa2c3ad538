/**
 * The words of a text as the search compares them: in lower case, without the accents that people
 * leave out, and with plain letters and digits. Pure.
 */

/**
 * A run of letters and digits, with what nobody sees between them, such as soft hyphens, and the
 * signs of names such as C++ and C#. Or § or a currency.
 */
const WORD = /([\p{L}\p{N}\p{M}\p{DI}]+(?:[+#]+(?![\p{L}\p{N}]))?|[§\p{Sc}])/gu

/** What nobody sees, and the tatweel, which only makes Arabic words longer. */
const UNSEEN = /[\p{DI}\u0640]+/gu

/**
 * A letter with marks that many people do not type, such as é, ё or أ. In other scripts, a mark makes
 * another letter: दि is not द, and パ is not ハ.
 */
const MARKED_LETTER =
  /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}])\p{M}+/gu

/** Letters that people type otherwise, and that Unicode does not decompose. */
const PLAIN_LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}
const PLAIN_LETTER = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g')

/** Letters that are also written in another way: Müller as Mueller, Århus as Aarhus. */
const DIGRAPHS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }
const DIGRAPH = new RegExp(`[${Object.keys(DIGRAPHS).join('')}]`, 'g')

const HANGUL = /\p{sc=Hangul}+/gu

/** Chinese and Japanese, which have no spaces between words. */
const SPACELESS = /([\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+)/u

/** A letter with its marks. */
const LETTER = /\P{M}\p{M}*/gu

/** Most texts, and the rest of `fold` changes nothing in them. */
const ASCII = /^[\0-\x7f]*$/

/** Returns a text as the search compares it. Müller is muller. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()

  return (
    text
      .normalize('NFKD')
      .replace(UNSEEN, '')
      .toLowerCase()
      .replace(PLAIN_LETTER, (letter) => PLAIN_LETTERS[letter] ?? letter)
      .replace(MARKED_LETTER, '$1')
      .normalize('NFC')
      // In parts, so that a syllable is found while it is typed: 하 begins 한.
      .replace(HANGUL, (syllables) => syllables.normalize('NFD'))
  )
}

/** A letter of {@link DIGRAPHS}, or a mark that makes one. */
const MAY_HAVE_DIGRAPH = /[äöüøå]|\u0308|\u030a/i

/** Returns a text as the search compares it, in its other spelling. Müller is mueller. */
export function foldWithDigraphs(text: string): string {
  if (!MAY_HAVE_DIGRAPH.test(text)) return fold(text)
  const spelled = text
    .normalize('NFC')
    .toLowerCase()
    .replace(DIGRAPH, (letter) => DIGRAPHS[letter] ?? letter)
  return fold(spelled)
}

/** Returns the words of a text, each in both of its spellings if it has two. */
export function wordsOf(text: string): string[] {
  const words = split(fold(text))
  if (!MAY_HAVE_DIGRAPH.test(text)) return words

  const spelled = split(foldWithDigraphs(text))
  return [...words, ...spelled.filter((word, at) => word !== words[at])]
}

/** A word that is searched for. */
export interface Term {
  /** How it may be written in a text. */
  spellings: readonly string[]
  /** Whether it may also be the beginning of a word. */
  isBeginning: boolean
}

/** Returns the words that a text searches for. The last one may not be complete yet. */
export function termsOf(text: string): Term[] {
  const words = split(fold(text), false)
  const spelled = split(foldWithDigraphs(text), false)

  return words.map((word, at) => {
    const other = spelled[at] ?? word
    const isLetter = SPACELESS.test(word) && lettersOf(word).length === 1

    return {
      spellings: word === other ? [word] : [word, other],
      isBeginning: at === words.length - 1 || isLetter,
    }
  })
}

/** Returns whether a word of a text is one that is searched for. */
export function matches({ spellings, isBeginning }: Term, word: string): boolean {
  return spellings.some((spelling) => {
    return isBeginning ? word.startsWith(spelling) : word === spelling
  })
}

/**
 * Splits a folded text into words: 東京都 becomes 東京, 京都, and 都 as the beginning of nothing else.
 *
 * @param hasEnds whether to return the last letter of a text without spaces, too
 */
function split(folded: string, hasEnds = true): string[] {
  const runs = folded.match(WORD) ?? []
  if (!SPACELESS.test(folded)) return runs

  return runs.flatMap((run) => {
    if (!SPACELESS.test(run)) return run

    return run.split(SPACELESS).flatMap((part) => {
      if (part === '') return []
      if (!SPACELESS.test(part)) return part
      return pairsOf(part, hasEnds)
    })
  })
}

/** Returns each two letters that follow each other. Of one letter, the letter. */
function pairsOf(text: string, hasEnds: boolean): string[] {
  const letters = lettersOf(text)
  const pairs = letters.slice(1).map((letter, at) => `${letters[at]}${letter}`)
  const last = letters.at(-1)
  if (last !== undefined && (hasEnds || pairs.length === 0)) pairs.push(last)
  return pairs
}

function lettersOf(text: string): string[] {
  return text.match(LETTER) ?? []
}

/** A part of a text that the search compares. */
export interface Piece {
  start: number
  end: number
  /** Whether it is of a text without spaces, where only the whole piece may match. */
  isSpaceless: boolean
}

/** Yields where the words of a text are. Of a text without spaces, each letter and each two letters. */
export function* piecesOf(text: string): Generator<Piece> {
  for (const { 0: run, index } of text.matchAll(WORD)) {
    if (!SPACELESS.test(run)) {
      yield { start: index, end: index + run.length, isSpaceless: false }
      continue
    }

    let start = index
    for (const part of run.split(SPACELESS)) {
      if (SPACELESS.test(part)) yield* spacelessPieces(part, start)
      else if (part !== '') yield { start, end: start + part.length, isSpaceless: false }
      start += part.length
    }
  }
}

function* spacelessPieces(text: string, start: number): Generator<Piece> {
  const ends = Array.from(text.matchAll(LETTER), ({ 0: letter, index }) => index + letter.length)
  for (const [at, end] of ends.entries()) {
    const before = start + (ends[at - 1] ?? 0)
    yield { start: before, end: start + end, isSpaceless: true }
    const next = ends[at + 1]
    if (next !== undefined) yield { start: before, end: start + next, isSpaceless: true }
  }
}
