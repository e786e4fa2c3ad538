/** The direction in which a language is written. Pure. */

/** ISO 15924: the scripts that are written from right to left. */
const FROM_RIGHT = /^(?:Adlm|Arab|Aran|Hebr|Mand|Nkoo|Rohg|Samr|Syrc|Thaa|Yezi)$/

/** @param language a BCP 47 tag */
export function directionOf(language: string): 'ltr' | 'rtl' {
  const { script = '' } = new Intl.Locale(language).maximize()
  return FROM_RIGHT.test(script) ? 'rtl' : 'ltr'
}
