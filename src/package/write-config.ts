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
  const path = pathOf(delivery, keys)
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

/** The second parameter of `page`, if it's needed. */
function whereOf(delivery: Delivery, keys: RecordKeys): string {
  const used = `${pathOf(delivery, keys)} ${titleOf(delivery, keys)}`
  const names = []
  if (/\bkey\b(?!:)/.test(used.replaceAll('.key', ''))) names.push("key = ''")
  if (/\bfile\b/.test(used.replaceAll('.file', ''))) names.push('file')
  return names.length === 0 ? '' : `, { ${names.join(', ')} }`
}

/** The name of the file without its end. */
const FILE = "file.replace(/\\.\\w+$/, '')"

/** Whether the path differs in each record. */
function isPathCertain({ shape }: Delivery, keys: RecordKeys): boolean {
  const isNamed = keys.isNamedOutside || shape.kind === 'objects by name'
  return isNamed || keys.identities.length > 0 || keys.withinFile !== undefined
}

/** What the path is made of. */
function pathOf(delivery: Delivery, keys: RecordKeys): string {
  const { shape } = delivery
  const prefix = prefixOf(delivery)
  const [identity] = keys.identities
  if (shape.kind === 'objects by name') return `${prefix}/${slugOf('key')}`
  if (identity) return `${prefix}/${slugOf(`String(${access(identity)})`)}`
  if (keys.isNamedOutside) return `${prefix}/${slugOf(FILE)}`
  if (keys.withinFile)
    return `${prefix}/${slugOf(FILE)}/${slugOf(`String(${access(keys.withinFile)})`)}`
  return `${prefix}/${slugOf(`String(${titleOf(delivery, keys)})`)}`
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
