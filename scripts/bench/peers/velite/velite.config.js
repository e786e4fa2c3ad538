import { defineCollection, defineConfig, s } from 'velite'
import { firsts, pageSchema } from './page.js'

const page = pageSchema(s)
// Velite's own deduplication: a record that repeats a value is reported and left out. Which one
// depends on which file is read first, so with BENCH_PREPARE a hook picks by order.
const once = page.extend({ path: page.shape.path.and(s.unique('pages')) })
const { BENCH_BATCHES, BENCH_OUT, BENCH_PREPARE } = process.env

export default defineConfig({
  root: BENCH_BATCHES,
  output: { data: BENCH_OUT, clean: false },
  collections: {
    pages: defineCollection({
      name: 'Page',
      pattern: '*.json',
      schema: BENCH_PREPARE ? page : once,
    }),
  },
  prepare(data) {
    if (BENCH_PREPARE) data.pages = firsts(data.pages)
  },
})
