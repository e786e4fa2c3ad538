/** Builds the batches of a folder repeatedly: `build-often.ts BATCHES OUT TIMES`. */
import { build } from '../src/build/build.ts'
import { folderSource } from '../src/build/source.ts'

const [batches = '', out = '', count] = process.argv.slice(2)
for (let round = 0; round < Number(count); round++) {
  const source = folderSource(batches)
  const result = await build({ source, schema: 'tests/batch.schema.json', out })
  if (!result.ok) throw new Error('the batches have problems')
}
