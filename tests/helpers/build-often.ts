/** Builds the batches of a folder repeatedly: `build-often.ts BATCHES OUT TIMES`. */
import { build } from '../../src/pipeline/build.ts'
import { folderSource } from '../../src/pipeline/source.ts'

const [batches = '', out = '', count] = process.argv.slice(2)
for (let round = 0; round < Number(count); round++) {
  const source = folderSource(batches)
  const result = await build({ source, schema: 'tests/helpers/batch.schema.json', out })
  if (!result.ok) throw new Error('the batches have problems')
}
