/** What the site costs: its build, and the bytes of its documents. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type Page, sampleBatches } from '../samples/batches.ts'
import type { Settings } from './build.ts'
import { COSTS, type Cost, measure, type Row, rowOf, table } from './measure.ts'

const SIZES = [100, 1_000, 10_000]

export async function benchSite({ temp, rounds }: Settings): Promise<string> {
  const rows: Row[] = []
  for (const size of SIZES) {
    const pages: Page[] = []
    const options = { pages: size, batches: 5, duplicates: 0, forms: 0.3, seed: 1 }
    for (const batch of sampleBatches(options)) pages.push(...batch)
    const [dataset, out] = [join(temp, 'pages.json'), join(temp, 'dist')]
    writeFileSync(dataset, JSON.stringify(pages))
    const costs: Cost[] = []
    for (let round = 0; round < rounds; round++) {
      rmSync(out, { recursive: true, force: true })
      const program = join(import.meta.dirname, 'programs/site.ts')
      const env = { BENCH_DATASET: dataset, BENCH_OUT: out }
      costs.push(await measure(['--import', 'tsx', program], temp, env))
    }
    const { name, values } = rowOf(`${size.toLocaleString('en')} pages`, costs)
    const index = brotliCompressSync(readFileSync(join(out, 'index.html'))).length / 1000
    rows.push({ name, values: [...values, [index]] })
  }
  return table('The site', [...COSTS, 'index.html, kB of brotli'], rows)
}
