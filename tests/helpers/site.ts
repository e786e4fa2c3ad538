/** A small site for the tests of the receiver. It needs no build, and shows no content of the project. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { PageForm } from '../../src/app/screens/PageForm.tsx'
import type { FieldDefinition } from '../../src/page/form-fields.ts'
import type { SitePage } from '../../src/page/page.ts'
import { renderAnswers } from '../../src/static/render.tsx'
import { finishSite } from '../../src/static/site-files.ts'

const field = (
  name: string,
  label: string,
  type: FieldDefinition['type'],
  required: boolean,
): FieldDefinition => ({ name, label, type, placeholder: '', required })

const name = field('name', 'Your Name', 'text', true)
const email = field('email', 'Email Address', 'email', true)
const message = field('message', 'Message', 'textarea', false)

const pageOf = <Form>(path: string, title: string, form: Form) => {
  return { path, title, contentHtml: '<p>Text.</p>', form }
}

export const plain = pageOf('/blog/029', 'News', null)
export const withTwoFields = pageOf('/about/001', 'About us', { fields: [name, email] })
export const withThreeFields = pageOf('/contact/100', 'Contact us', {
  fields: [name, email, message],
})
const withoutTheKey = { path: '/über-uns', title: 'Über uns', contentHtml: '<p>Text.</p>' }

export const pages: SitePage[] = [plain, withTwoFields, withThreeFields, withoutTheKey]

/** A path beside that of a page. No page has it. */
export const unclaimed = '/blog/030'

/** A file whose name ends with a hash of its content. */
export const hashed = '/immutable/index-Ab12_-xY.js'

const documentOf = (title: string, content: string) => `<!doctype html>
<html lang="en"><head><title>${title} · Site</title><meta name="description" content="A page.">
<script type="module" src="${hashed}"></script></head>
<body><header><a href="/">Site</a></header><main class="sheet"><h1>${title}</h1>${content}</main></body></html>
`

const template = readFileSync(join(import.meta.dirname, '../../src/app/index.html'), 'utf8')

const formOf = ({ path, form }: SitePage) =>
  form ? renderToStaticMarkup(PageForm({ form, path, base: '' })) : ''

const files = {
  'index.html': documentOf('Site', ''),
  '404.html': documentOf('Not found', ''),
  ...Object.fromEntries(
    pages.map((page) => [
      `${page.path.slice(1)}.html`,
      documentOf(page.title, page.contentHtml + formOf(page)),
    ]),
  ),
  [hashed.slice(1)]: `console.log('${'long enough to be compressed, '.repeat(100)}')\n`,
  'robots.txt': 'User-agent: *\nAllow: /\n',
  ...Object.fromEntries(
    renderAnswers(template, { address: undefined }).map(([name, html]) => [`${name}.html`, html]),
  ),
}

/** Writes the site into a new folder, as `npm run build` would, and returns the folder. */
export function writeSite(folder: string): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  writeFileSync(join(folder, '_headers'), '/*\n')
  finishSite(folder, { base: '', dataset: '0'.repeat(64), pages, files: Object.keys(files) })
  return folder
}
