/** Notices that somebody saved a batch or a schema, on every kind of disk. */
import { setTimeout as pause } from 'node:timers/promises'
import { type BatchPlace, statOf } from '../build/place.ts'
import { readSchemaFiles } from '../build/schema-files.ts'
import { batchSource } from '../build/source.ts'
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
 * Returns the names, sizes and times of all batches, and the digest of the schema, as one text. It
 * differs after every save, on every kind of disk: many report no changes, such as a folder that a container
 * shares, and where they are reported, a moved folder takes the watches of its files with it.
 */
export async function look(place: BatchPlace, schema: string): Promise<string> {
  try {
    const source = batchSource(place)
    const { all } = await source.list()
    const files = all.map((name) => {
      const status = statOf(source.fileOf(name))
      return `${name} ${status?.size} ${status?.ctimeMs}`
    })

    return [...files.sort(), readSchemaFiles(schema).sha256].join('\n')
  } catch (error) {
    return messageOf(error)
  }
}
