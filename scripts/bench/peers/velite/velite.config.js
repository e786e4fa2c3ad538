import { defineCollection, defineConfig, s } from 'velite'
import { firsts, pageSchema } from './page.js'

export default defineConfig({
  root: process.env.BENCH_BATCHES,
  output: { data: process.env.BENCH_OUT, clean: false },
  collections: {
    pages: defineCollection({ name: 'Page', pattern: '*.json', schema: pageSchema(s) }),
  },
  prepare(data) {
    data.pages = firsts(data.pages)
  },
})
