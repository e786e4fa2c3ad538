/**
 * Decides whether two words are one word in two spellings, such as `created_at` and `createdAt`. A
 * mistyped word is never the same: `county` may be a misspelled `country`, or a county.
 */
import { toAscii } from './lookalikes.ts'

/** A word, simplified step by step. */
interface Forms {
  /** As a reader sees it. */
  seen: string
  withoutCase: string
  withoutSeparators: string
}

const STEPS = ['seen', 'withoutCase', 'withoutSeparators'] as const

/**
 * Returns the known words of which a word is another spelling. They differ from it only in what
 * nobody sees; or, if there are none, also in case; or, if there are none, also in `-`, `_` and
 * spaces.
 */
export function spellingsOf(word: string, knownWords: readonly string[]): string[] {
  const isMixed = mixesAlphabets(word)
  const forms = formsOf(word, isMixed)

  for (const step of STEPS) {
    const same = knownWords.filter((known) => formsOfKnown(known, isMixed)[step] === forms[step])
    if (same.length > 0) return same
  }
  return []
}

/**
 * Whether one word is certainly another one, in another spelling. It may not be if the case or a
 * separator carries meaning, as in units (`mW`, `MW`) and codes (`UK` is a country, `uk` a
 * language; `A-1` and `A1` are two ratings).
 */
export function isSameWord(word: string, known: string): boolean {
  const isMixed = mixesAlphabets(word)
  const written = formsOf(word, isMixed)
  const meant = formsOfKnown(known, isMixed)
  if (written.seen === meant.seen) return true
  if (written.withoutSeparators !== meant.withoutSeparators) return false

  const isCode = Array.from(written.withoutSeparators).length < SHORTEST
  if (isCode) return false

  return unitsOf(word) === unitsOf(known)
}

function formsOf(word: string, isMixed: boolean): Forms {
  const seen = asSeen(word, isMixed)
  const withoutCase = seen.toLowerCase()
  return { seen, withoutCase, withoutSeparators: withoutCase.replace(SEPARATORS, '') }
}

/** The forms of known words: a schema has few, but all records are compared with them. */
const FORMS = { mixed: new Map<string, Forms>(), plain: new Map<string, Forms>() }

function formsOfKnown(known: string, isMixed: boolean): Forms {
  const remembered = isMixed ? FORMS.mixed : FORMS.plain
  let forms = remembered.get(known)
  if (!forms) {
    forms = formsOf(known, isMixed)
    remembered.set(known, forms)
  }
  return forms
}

/** In characters. A shorter word may be a code. */
const SHORTEST = 3

/** For example the tab and the two spaces in "a\tb  c". */
const SPACES = /\s+/g

/** Characters without a width, such as U+200B and the byte-order mark, and control characters. */
const INVISIBLE = /[\p{Cf}\p{DI}]|(?!\s)\p{Cc}/gu

/** In emoji, what is invisible carries meaning: the flags of England and Wales differ in nothing else. */
const EMOJI = /\p{ExtPict}/u

/** For example о, which is Cyrillic, or –, which is a dash; also é of one character, or of two. */
const NOT_ASCII = /[^ -~]/

const LATIN = /\p{sc=Latn}/u
const CYRILLIC_OR_GREEK = /[\p{sc=Cyrl}\p{sc=Grek}]/u

/**
 * A hyphen, an underscore or a space within a word, with a letter on one side at least, as in `e-mail`
 * and `apache 2.0`. At an end (`A-`, `_id`) or between digits (`1-2`), it is more than a spelling.
 */
const SEPARATORS = /(?<=\p{L})[ _-]+(?=[\p{L}\p{N}])|(?<=\p{N})[ _-]+(?=\p{L})/gu

/**
 * A word of two alphabets is mistyped. A word of one is a word of its own, even if it looks like
 * another: the Cyrillic `сор` is not `cop`.
 */
function mixesAlphabets(word: string): boolean {
  return LATIN.test(word) && CYRILLIC_OR_GREEK.test(word)
}

/** @param isMixed whether letters of Cyrillic and Greek stand for those that they look like */
function asSeen(word: string, isMixed: boolean): string {
  const visible = NOT_ASCII.test(word) ? inAscii(word, isMixed) : word
  return visible.replace(SPACES, ' ').trim()
}

function inAscii(word: string, isMixed: boolean): string {
  const visible = EMOJI.test(word) ? word : word.replace(INVISIBLE, '')

  const characters = Array.from(visible.normalize('NFC'), (character) => {
    if (CYRILLIC_OR_GREEK.test(character) && !isMixed) return character
    return toAscii(character)
  })
  return characters.join('')
}

/**
 * Symbols of units that mean something else in another case: mW and MW (milli, mega), pF and PF (pico,
 * peta), Mb and MB, kbps and kBps (bits, bytes), Cal and cal.
 */
const UNIT =
  /^\d*(?:[mp](?:a|ah|bar|ev|f|g|h|hz|j|k|l|m|mol|n|ohm|pa|s|sv|t|v|w|wh)|[kmgtpe]?i?b(?:ps)?|cal)$/i

/** A part of a word between separators, such as the "power" and the "MW" of "power_MW". */
const PART_OF_WORD = /[\p{L}\p{N}]+/gu

/**
 * Returns the units in a word, as in `power_MW`. One in lower case does not count, because the names
 * of keys often are: `duration_ms` is `durationMs`.
 */
function unitsOf(word: string): string {
  const parts = word.match(PART_OF_WORD) ?? []
  const units = parts.filter((part) => UNIT.test(part) && part !== part.toLowerCase())
  return units.join(' ')
}
