/** Loads what `src/content.ts` says, or another file of the same kind. */
import fs from 'node:fs'
import path from 'node:path'
import { digestModules } from '../machine/code-digest.ts'
import { BuildError, onDisk } from '../machine/errors.ts'
import type { Content, DeliveryPlace } from '../page/content.ts'
import { asObject, isObject } from '../text/as-object.ts'
import type { Terminal } from './terminal.ts'

const OWN = path.join(import.meta.dirname, '../content.ts')
const DELIVERY = { batches: 'raw-batches', schema: 'schema/batch.schema.json' }

/**
 * @param file what `--content` names; undefined for the one in `src`
 * @returns `digestContent` digests all modules that it has loaded so far; see `openCache`
 * @throws BuildError in one line
 */
export async function loadContent(
  file: string | undefined,
  { load, loadedFiles }: Pick<Terminal, 'load' | 'loadedFiles'>,
) {
  const name = file ?? 'src/content.ts'
  const whole = file === undefined ? OWN : path.resolve(file)
  onDisk(`read ${name} (--content names another)`, () => fs.readFileSync(whole))

  const found = await load(whole).catch(({ message }: Error) => {
    throw new BuildError(`${name} cannot be loaded: ${message.replaceAll('\n', ' ')}`)
  })
  const { content, delivery } = asObject(found)
  if (!isObject(content))
    throw new BuildError(`${name} does not say "export const content = defineContent({ … })"`)

  return {
    content: content as Content,
    delivery: { ...DELIVERY, ...(delivery as DeliveryPlace) },
    digestContent: () => digestModules(loadedFiles()),
  }
}
