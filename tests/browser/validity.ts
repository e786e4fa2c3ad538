import type { ConfigData } from 'html-validate'

const CONFIG: ConfigData = {
  root: true,
  extends: ['html-validate:standard', 'html-validate:recommended', 'html-validate:a11y'],
  rules: {
    // The template follows the code formatter: lower case, closed void elements.
    'doctype-style': 'off',
    'void-style': 'off',
    // React writes `required=""` and `autoComplete`, which mean the same to every parser.
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'attr-case': 'off',
    // What the content decides.
    'no-trailing-whitespace': 'off',
    'long-title': 'off',
  },
}

/**
 * Returns what is invalid in a document.
 *
 * @param except rules that it may break
 */
export async function errorsIn(html: string, except: string[] = []): Promise<string[]> {
  // It's loaded only by the processes that use it, not by each that reads the tests.
  const { HtmlValidate } = await import('html-validate')
  const rules = Object.fromEntries(except.map((rule) => [rule, 'off' as const]))
  const { results } = await new HtmlValidate(CONFIG).validateString(html, { rules })
  return results.flatMap(({ messages }) => messages).map(({ message }) => message)
}
