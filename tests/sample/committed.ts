import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../raw-batches')
const NAMES = [1, 2, 3, 4, 5].map((number) => `batch-0${number}.json`)

/** Copies the committed batches into a new folder, without batches that someone has added since. */
export function copyCommittedBatches(folder: string): void {
  mkdirSync(folder)
  for (const name of NAMES) copyFileSync(join(FOLDER, name), join(folder, name))
}
