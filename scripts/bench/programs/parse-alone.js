// The minimum for any program that parses the batches: JSON.parse, and nothing else.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

for (const name of readdirSync(process.env.BENCH_BATCHES)) {
  JSON.parse(readFileSync(join(process.env.BENCH_BATCHES, name), 'utf8'))
}
