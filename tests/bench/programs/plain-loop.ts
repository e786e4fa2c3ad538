// The build as most would write it: read, parse, check with ajv, keep the first in a Map, write.
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const { BENCH_BATCHES = '', BENCH_OUT = '', BENCH_SCHEMA = '' } = process.env
const ajv = new Ajv2020({ allowUnionTypes: true, keywords: ['patternErrorMessage'] })
addFormats.default(ajv, ['date-time'])
const check = ajv.compile<{ path: string }[]>(JSON.parse(readFileSync(BENCH_SCHEMA, 'utf8')))
const kept = new Map<string, unknown>()
for (const name of readdirSync(BENCH_BATCHES).sort()) {
  const pages: unknown = JSON.parse(readFileSync(join(BENCH_BATCHES, name), 'utf8'))
  if (!check(pages)) throw new Error(`${name}: ${ajv.errorsText(check.errors)}`)
  for (const page of pages) if (!kept.has(page.path)) kept.set(page.path, page)
}
const file = openSync(join(BENCH_OUT, 'pages.json'), 'w')
let separator = '[\n'
for (const page of kept.values()) {
  writeSync(file, separator + JSON.stringify(page))
  separator = ',\n'
}
writeSync(file, '\n]\n')
fsyncSync(file)
closeSync(file)
