/** Loads what `src/content.ts` says, or another file of the same kind. */
import fs from 'node:fs'
import path from 'node:path'
import { digestModules } from '../machine/code-digest.ts'
import { BuildError, onDisk } from '../machine/errors.ts'
import type { Content, DeliveryPlace } from '../page/content.ts'
import { asObject, isObject } from '../text/as-object.ts'
import { reasonOf } from '../text/thrown.ts'
import { show } from '../text/wording.ts'
import type { Terminal } from './terminal.ts'

const OWN = path.join(import.meta.dirname, '../content.ts')
const DELIVERY = { batches: 'raw-batches', schema: 'schema/batch.schema.json' }

/**
 * @param file what `--content` names; undefined for the one in `src`
 * @returns `digestContent` digests all modules that it has loaded so far; see `Cache`
 * @throws BuildError in one line
 */
export async function loadContent(
  file: string | undefined,
  { load, loadedFiles }: Pick<Terminal, 'load' | 'loadedFiles'>,
) {
  const name = file ?? 'src/content.ts'
  const whole = file === undefined ? OWN : path.resolve(file)
  onDisk(`read ${name} (--content names another)`, () => fs.readFileSync(whole))

  try {
    const { content, delivery } = asObject(await load(whole))
    return {
      content: takeContent(content),
      delivery: { ...DELIVERY, ...takeDelivery(delivery) },
      digestContent: () => digestModules(loadedFiles()),
    }
  } catch (error) {
    const why =
      error instanceof WrongExport ? error.message : `cannot be loaded: ${reasonOf(error)}`
    throw new BuildError(`${name} ${why}`)
  }
}

/** Its message says what is wrong with what the file exports. */
class WrongExport extends Error {}

type Kind = 'a function' | 'a list of functions' | '"drop" or "refuse"' | 'true or false'

/** What the keys of `content` must be, if they are there. */
const KINDS: Record<keyof Content, Kind> = {
  records: 'a function',
  page: 'a function',
  identity: 'a function',
  rules: 'a list of functions',
  card: 'a function',
  facts: 'a function',
  group: 'a function',
  searched: 'a function',
  order: 'a function',
  others: 'a function',
  references: 'a function',
  duplicates: '"drop" or "refuse"',
  site: 'true or false',
}

function takeContent(content: unknown): Content {
  if (content === undefined)
    throw new WrongExport('does not say "export const content = defineContent({ … })"')
  if (!isObject(content) || Array.isArray(content) || content instanceof Promise)
    throw new WrongExport(`exports a "content" that must be an object, but is ${show(content)}`)

  for (const [key, kind] of Object.entries(KINDS)) {
    const value = content[key]
    if (value === undefined || isOfKind(value, kind)) continue
    throw new WrongExport(
      `exports a "content" whose "${key}" must be ${kind}, but ${sayKind(value)}`,
    )
  }
  return content
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === 'a function') return typeof value === 'function'
  if (kind === 'true or false') return typeof value === 'boolean'
  if (kind === '"drop" or "refuse"') return value === 'drop' || value === 'refuse'
  return Array.isArray(value) && Array.from(value).every((item) => typeof item === 'function')
}

/** For example "is an object"; of a list, the first item that is not a function. */
function sayKind(value: unknown): string {
  if (!Array.isArray(value)) return `is ${show(value)}`

  const items: unknown[] = Array.from(value)
  const position = items.findIndex((item) => typeof item !== 'function')
  return `item ${position} is ${show(items[position])}`
}

function takeDelivery(delivery: unknown = {}): DeliveryPlace {
  if (!isObject(delivery))
    throw new WrongExport(`exports a "delivery" that must be an object, but is ${show(delivery)}`)

  const places: DeliveryPlace = {}
  for (const key of ['batches', 'schema'] as const) {
    const place = delivery[key]
    if (place === undefined) continue
    if (typeof place !== 'string' || place === '')
      throw new WrongExport(
        `exports a "delivery" whose "${key}" must be a place, such as "${DELIVERY[key]}", but is ${show(place)}`,
      )
    places[key] = place
  }
  return places
}
