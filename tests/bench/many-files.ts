/** A repository of many small files, one record in each, as many public ones have it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

const WORDS = ['alder', 'beech', 'cedar', 'elm', 'fir', 'hazel', 'larch', 'maple', 'oak', 'rowan']

const SCHEMA = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    size: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    at: {
      type: 'object',
      properties: { lat: { type: 'number' }, lon: { type: 'number' } },
    },
  },
}

/**
 * Writes JSON files, a schema for each collection, and their configuration. The same each time.
 *
 * @param folder must not exist yet
 * @param collections how many there are
 * @param files how many each has
 */
export function writeManyFiles(folder: string, collections: number, files: number): void {
  const random = xoroshiro128plus(1)
  const number = (least: number, most: number) => uniformInt(random, least, most)
  const word = () => WORDS[number(0, WORDS.length - 1)]
  const kinds = Array.from({ length: collections }, (_, at) => `kind${at}`)

  for (const kind of kinds) {
    mkdirSync(join(folder, kind), { recursive: true })
    writeFileSync(join(folder, `${kind}.schema.json`), JSON.stringify(SCHEMA))

    for (let file = 0; file < files; file++) {
      const record = {
        id: `${word()}-${file}`,
        name: `${word()} ${word()}`,
        size: number(0, 1000),
        tags: [word(), word()],
        at: { lat: number(-90, 90), lon: number(-180, 180) },
      }
      writeFileSync(join(folder, kind, `${record.id}.json`), JSON.stringify(record, null, 2))
    }
  }

  const lines = kinds.map((kind) => {
    return `  ${kind}: { files: '${kind}/*.json', schema: '${kind}.schema.json', id: 'id' },\n`
  })
  writeFileSync(join(folder, 'manyurls.config.ts'), `export default {\n${lines.join('')}}\n`)
}
