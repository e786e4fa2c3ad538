/** The attributes of a text that is not in the language of the document. Pure. */

/** ISO 15924: the scripts that are written from right to left. */
const FROM_RIGHT = /^(?:Adlm|Arab|Aran|Hebr|Mand|Nkoo|Rohg|Samr|Syrc|Thaa|Yezi)$/

/** Returns the attributes of a language: a BCP 47 tag. Without one, a text has none. */
export function attributesOf(language: string | undefined) {
  if (language === undefined) return {}
  const { script = '' } = new Intl.Locale(language).maximize()
  return { lang: language, dir: FROM_RIGHT.test(script) ? 'rtl' : 'ltr' }
}
