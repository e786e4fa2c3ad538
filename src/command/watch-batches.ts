/** Notices that somebody saved a batch or a schema, on every kind of disk. */
import { setTimeout as pause } from 'node:timers/promises'
import { statOf } from '../build/place.ts'
import { schemaFilesOf } from '../build/read-schemas.ts'
import { readSchemaFiles } from '../build/schema-files.ts'
import type { CollectionToBuild } from '../build/source.ts'
import { messageOf } from '../machine/errors.ts'

/** The shortest time between two looks at the batches. */
const LOOK_MS = 200

/** A look at 15,000 batches takes long: the pause after a look is this many times as long. */
const REST = 10

/** Looks at the batches again and again, as long as the server is the current one. */
export async function watch(
  look: () => Promise<string>,
  firstLook: string,
  isCurrent: () => boolean,
  update: () => Promise<void>,
): Promise<void> {
  let lastLook = firstLook

  while (isCurrent()) {
    const start = performance.now()
    const newLook = await look()
    const rest = Math.max(LOOK_MS, REST * (performance.now() - start))

    if (newLook !== lastLook) await update()
    lastLook = newLook
    await pause(rest, undefined, { ref: false })
  }
}

/**
 * Returns the names, sizes and times of all files, and the digests of the schemas, as one text. It differs
 * after every save, on every kind of disk: many report no changes, such as a folder that a container
 * shares, and where they are reported, a moved folder takes the watches of its files with it.
 *
 * @param open finds the files of all collections
 */
export async function look(open: () => Promise<readonly CollectionToBuild[]>): Promise<string> {
  try {
    const seen: string[] = []
    for (const { collection, source } of await open()) {
      const { all } = await source.list()
      for (const name of all.sort()) {
        const status = statOf(source.fileOf(name))
        seen.push(`${name} ${status?.size} ${status?.ctimeMs}`)
      }

      const schemas = await schemaFilesOf(collection.schema)
      seen.push(...schemas.map((file) => readSchemaFiles(file).sha256))
    }
    return seen.join('\n')
  } catch (error) {
    return messageOf(error)
  }
}
