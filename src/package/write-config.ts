/** Writes `manyurls.config.ts` for a delivery. Pure. */
import { slug } from '../page/content.ts'
import type { Delivery, RecordKeys, Shape, Way } from './survey.ts'

/** What `manyurls.config.ts` says. */
export interface Plan {
  delivery: Delivery
  keys: RecordKeys
  /** What `delivery.batches` says, with what is left out. */
  batches: string | readonly string[]
  schema: string
}

/** Returns the text of `manyurls.config.ts`. */
export function writeConfig({ delivery, keys, batches, schema }: Plan): string {
  const records = recordsKey(delivery.shape)
  const where = whereOf(delivery, keys)
  const path = `${prefixOf(delivery)}/${partsOf(delivery, keys)}`
  const body = keys.body === undefined ? "''" : `paragraphs(${access(keys.body)})`
  const [identity] = keys.identities

  const helpers = ['type DeliveryPlace', 'defineContent']
  if (keys.body) helpers.push('paragraphs')
  helpers.push('slug')

  const lines = [
    `import { ${helpers.join(', ')} } from 'manyurls'`,
    '',
    'export const content = defineContent({',
    ...(records === undefined ? [] : [`  records: ${records},`]),
    `  page: (record${where}) => ({`,
    ...(isPathCertain(delivery, keys) ? [] : [`    // ${UNCERTAIN}`]),
    `    path: \`${path}\`,`,
    `    title: ${titleOf(delivery, keys)},`,
    `    contentHtml: ${body},`,
    '  }),',
    ...(identity ? [`  identity: (record) => ${access(identity)},`] : []),
    `  duplicates: 'refuse', // two records with one path and other values are a mistake; 'drop' keeps the first`,
    '  site: false, // true checks what only a site needs',
    '})',
    '',
    'export const delivery: DeliveryPlace = {',
    `  batches: ${quoteAll(batches)},`,
    `  schema: ${quote(schema)},`,
    "  out: 'generated',",
    '}',
  ]
  return `${lines.join('\n')}\n`
}

const UNCERTAIN = 'No key differs in each record. Make the path of several keys.'

function recordsKey(shape: Shape): string | undefined {
  switch (shape.kind) {
    case 'list':
      return undefined
    case 'list under a key':
      return `(file) => file${step(shape.key)}`
    case 'objects by name':
      return 'Object.values'
    case 'one record':
      return '(file) => [file]'
  }
}

/** The second parameter of `page`, if what it makes uses that. */
function whereOf(delivery: Delivery, keys: RecordKeys): string {
  const used = `${partsOf(delivery, keys)} ${titleOf(delivery, keys)}`
  const names = []
  if (KEY_VARIABLE.test(used)) names.push("key = ''")
  if (FILE_VARIABLE.test(used)) names.push('file')
  return names.length === 0 ? '' : `, { ${names.join(', ')} }`
}

/** The variable `key`, as in `slug(key)`, but not the key of a record, as in `record.key`. */
const KEY_VARIABLE = /(?<![.\w])key\b/

/** The variable `file`, as in `file.replace(…)`, but not the key of a record, as in `record.file`. */
const FILE_VARIABLE = /(?<![.\w])file\b/

/** The name of the file without its end. */
const FILE = "file.replace(/\\.\\w+$/, '')"

/** Whether the path differs in each record. */
function isPathCertain({ shape }: Delivery, keys: RecordKeys): boolean {
  const isNamed = keys.isNamedOutside || shape.kind === 'objects by name'
  return isNamed || keys.identities.length > 0 || keys.withinFile !== undefined
}

/** What the path of a page is made of, after the part that all have in common. */
function partsOf(delivery: Delivery, keys: RecordKeys): string {
  const [identity] = keys.identities
  if (delivery.shape.kind === 'objects by name') return slugOf('key')
  if (identity) return slugOf(`String(${access(identity)})`)
  if (keys.isNamedOutside) return slugOf(FILE)
  if (keys.withinFile) return `${slugOf(FILE)}/${slugOf(`String(${access(keys.withinFile)})`)}`
  return slugOf(`String(${titleOf(delivery, keys)})`)
}

function slugOf(expression: string): string {
  return `\${slug(${expression})}`
}

function titleOf({ shape }: Delivery, { title, identities: [identity] }: RecordKeys): string {
  if (title) return access(title)
  if (shape.kind === 'objects by name') return 'key'
  return identity ? `String(${access(identity)})` : 'file'
}

/** The first part of the paths: the name of the file or of the folder. */
function prefixOf({ batches, files }: Delivery): string {
  const isPattern = batches.includes('*')
  const [file = batches] = files.map(({ name }) => name)
  const name = (isPattern ? file : batches).split('/').at(-1) ?? ''
  const prefix = slug(name.replace(/\.\w+$/, ''))
  return prefix === '' ? '' : `/${prefix}`
}

function access(way: Way): string {
  return `record${way.map(step).join('')}`
}

/** A key after a dot, if it can stand there. */
function step(key: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? `.${key}` : `[${quote(key)}]`
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

function quoteAll(texts: string | readonly string[]): string {
  return typeof texts === 'string' ? quote(texts) : `[${texts.map(quote).join(', ')}]`
}
