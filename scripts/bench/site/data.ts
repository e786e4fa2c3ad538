/** The pages that are measured: the same on every machine. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, sampleBatches } from '../../samples/batches.ts'

export interface Sample {
  /** The number of pages. */
  size: number
  /** The dataset file. */
  dataset: string
  /** Paths of a few pages, spread evenly over the dataset. */
  paths: string[]
}

const PROBES = 5

/** Writes a dataset with the given number of pages into a folder of its own. */
export function writeSample(folder: string, size: number): Sample {
  const options = { pages: size, batches: 5, duplicates: 0, forms: 0.3, seed: 1 }
  const pages: Page[] = []
  for (const batch of sampleBatches(options)) pages.push(...batch)
  mkdirSync(folder, { recursive: true })
  const dataset = join(folder, 'dataset.json')
  writeFileSync(dataset, JSON.stringify(pages))
  const paths = Array.from({ length: PROBES }, (_, probe) => {
    const page = pages[Math.floor(((probe + 0.5) / PROBES) * size)]
    if (!page) throw new Error(`${size} pages are too few`)
    return page.path
  })
  return { size, dataset, paths }
}
