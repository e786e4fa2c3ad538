/** Loads the file that says what a record is: `src/content.ts`, or another file of the same kind. */
import fs from 'node:fs'
import path from 'node:path'
import { BuildError, onDisk } from '../machine/errors.ts'
import type { Content, DeliveryPlace } from '../page/content.ts'
import { asObject, isPlainObject } from '../text/as-object.ts'
import { reasonOf } from '../text/thrown.ts'
import { show } from '../text/wording.ts'
import type { SiteCommand, Terminal } from './terminal.ts'

/**
 * @param named what `--content` names
 * @throws BuildError in one line
 */
export async function loadContent(
  named: string | undefined,
  { load, command }: Pick<Terminal<SiteCommand>, 'load' | 'command'>,
) {
  const { file, name } =
    named === undefined ? command.content : { file: path.resolve(named), name: named }
  onDisk(`read ${name} (--content names another)`, () => fs.readFileSync(file))

  try {
    const { content, delivery } = asObject(await load(file))
    const places = takeDelivery(delivery)
    return { content: takeContent(content), delivery: { ...command.delivery, ...places } }
  } catch (error) {
    const why =
      error instanceof WrongExport ? error.message : `cannot be loaded: ${reasonOf(error)}`
    throw new BuildError(`${name} ${why}`)
  }
}

/** Its message says what is wrong with what the file exports. */
class WrongExport extends Error {}

type Kind =
  | 'a function'
  | 'a list of functions'
  | 'an object'
  | '"drop" or "refuse"'
  | 'true or false'

/** What the keys of `content` must be, if they are there. */
const KINDS: Record<keyof Content, Kind> = {
  records: 'a function',
  page: 'a function',
  identity: 'a function',
  rules: 'a list of functions',
  card: 'a function',
  image: 'a function',
  facts: 'a function',
  group: 'a function',
  searched: 'a function',
  order: 'a function',
  others: 'a function',
  references: 'a function',
  elements: 'an object',
  duplicates: '"drop" or "refuse"',
  site: 'true or false',
}

function takeContent(content: unknown): Content {
  if (content === undefined)
    throw new WrongExport('does not say "export const content = defineContent({ … })"')

  if (!isOfKind(content, 'an object'))
    throw new WrongExport(`exports a "content" that must be an object, but is ${show(content)}`)

  for (const [key, kind] of Object.entries(KINDS)) {
    const value = asObject(content)[key]
    if (value === undefined || isOfKind(value, kind)) continue

    throw new WrongExport(
      `exports a "content" whose "${key}" must be ${kind}, but ${sayKind(value)}`,
    )
  }
  return content as Content
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === 'a function') return typeof value === 'function'
  if (kind === 'true or false') return typeof value === 'boolean'
  if (kind === '"drop" or "refuse"') return value === 'drop' || value === 'refuse'
  if (kind === 'an object') return isPlainObject(value)
  return Array.isArray(value) && Array.from(value).every((item) => typeof item === 'function')
}

/** For example "is an object"; of a list, the first item that is not a function. */
function sayKind(value: unknown): string {
  if (!Array.isArray(value)) return `is ${show(value)}`

  const items: unknown[] = Array.from(value)
  const position = items.findIndex((item) => typeof item !== 'function')
  if (position < 0) return 'is a list'

  return `item ${position} is ${show(items[position])}`
}

function takeDelivery(delivery: unknown = {}): DeliveryPlace {
  if (!isOfKind(delivery, 'an object'))
    throw new WrongExport(`exports a "delivery" that must be an object, but is ${show(delivery)}`)

  const { batches, schema, out } = asObject(delivery)
  if (out !== undefined)
    throw new WrongExport(
      'exports a "delivery" with "out", but the site reads the dataset and its types from src/generated. Remove "out"; the option --out writes a dataset elsewhere',
    )

  const isListOfPlaces = Array.isArray(batches) && batches.length > 0 && batches.every(isPlace)
  if (batches !== undefined && !isPlace(batches) && !isListOfPlaces)
    throw new WrongExport(
      `exports a "delivery" whose "batches" must be a place or a list of places, such as "data/*.json", but is ${show(batches)}`,
    )

  if (schema !== undefined && !isPlace(schema))
    throw new WrongExport(
      `exports a "delivery" whose "schema" must be a place, such as "schema/page.schema.json", but is ${show(schema)}`,
    )

  const places = Object.entries({ batches, schema })
  return Object.fromEntries(places.filter(([, place]) => place !== undefined))
}

function isPlace(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
