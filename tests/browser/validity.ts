import { HtmlValidate } from 'html-validate'

const validator = new HtmlValidate({
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
    // The filter applies each change at once.
    'wcag/h32': 'off',
    // What the content decides.
    'long-title': 'off',
    'no-raw-characters': 'off',
    'no-trailing-whitespace': 'off',
  },
})

/** Returns what is invalid in a document. */
export async function errorsIn(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) => messages).map(({ message }) => message)
}
