/** The direction in which a language is written. Pure. */

/** ISO 15924: the scripts that are written from right to left. */
const FROM_RIGHT = /^(?:Adlm|Arab|Aran|Hebr|Mand|Nkoo|Rohg|Samr|Syrc|Thaa|Yezi)$/

/** To ask `Intl` takes as long as to render a small document. */
const known = new Map<string, 'ltr' | 'rtl'>()

/** @param language a BCP 47 tag */
export function directionOf(language: string): 'ltr' | 'rtl' {
  const script = () => new Intl.Locale(language).maximize().script ?? ''
  const direction = known.get(language) ?? (FROM_RIGHT.test(script()) ? 'rtl' : 'ltr')
  known.set(language, direction)
  return direction
}
