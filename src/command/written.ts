/** Keeps what a command writes apart from the batches that it reads. */
import fs from 'node:fs'
import path from 'node:path'
import { type BatchPlace, patternFrom } from '../build/place.ts'
import { BuildError } from '../machine/errors.ts'

/**
 * Returns a place without the folders that the command writes, which a pattern may match.
 *
 * @param written the folders, by what messages call them: `{ '--out': 'data/out' }`
 * @throws BuildError in one line if what is written would be read as batches, wherever links lead
 */
export function withoutWritten(
  place: BatchPlace,
  written: Readonly<Record<string, string>>,
): BatchPlace {
  const leftOut = [...place.leftOut]

  for (const [name, folder] of Object.entries(written)) {
    for (const batches of place.folders) {
      if (wayWithin(batches, folder) !== undefined) throw new BuildError(say(name, folder, batches))
    }

    const within = wayWithin(place.folder, folder)
    if (place.patterns === undefined || within === undefined) continue
    if (within === '') throw new BuildError(say(name, folder, place.folder))

    const inner = path.join(place.folder, within)
    leftOut.push(patternFrom(place.root, { folder: inner, pattern: '**' }))
  }

  return { ...place, leftOut }
}

function say(name: string, folder: string, batches: string): string {
  return `${name} ${folder} is in ${batches}, where it would be read as batches`
}

/** Returns the way from a folder to one that is in it, or is it; undefined if it is elsewhere. */
function wayWithin(outer: string, folder: string): string | undefined {
  const way = path.relative(resolveLinks(outer), resolveLinks(folder))
  const isOutside = way.split(path.sep)[0] === '..' || path.isAbsolute(way)
  return isOutside ? undefined : way.split(path.sep).join('/')
}

/** Returns the absolute path, without links as far as it exists. */
function resolveLinks(file: string): string {
  const whole = path.resolve(file)
  try {
    return fs.realpathSync.native(whole)
  } catch {
    const parent = path.dirname(whole)
    return parent === whole ? whole : path.join(resolveLinks(parent), path.basename(whole))
  }
}
