import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { defineCollection, defineConfig, defineParser } from '@content-collections/core'
import { z } from 'zod'
import { firsts, pageSchema } from './page.js'

const batches = defineCollection({
  name: 'batches',
  // Absolute folders are silently ignored.
  directory: relative('.', process.env.BENCH_BATCHES),
  include: '*.json',
  parser: defineParser((content) => ({ pages: JSON.parse(content) })),
  schema: z.object({ pages: z.array(pageSchema(z)) }),
  onSuccess: (documents) => {
    const sorted = documents.sort((a, b) => (a._meta.fileName < b._meta.fileName ? -1 : 1))
    const pages = firsts(sorted.flatMap(({ pages }) => pages))
    const out = join(process.env.BENCH_OUT, 'pages.json')
    writeFileSync(out, `[\n${pages.map((page) => JSON.stringify(page)).join(',\n')}\n]\n`)
  },
})

export default defineConfig({ content: [batches] })
