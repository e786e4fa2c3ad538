import { readFileSync } from 'node:fs'

export default function configure(eleventy) {
  const pages = JSON.parse(readFileSync(process.env.BENCH_DATASET, 'utf8'))
  eleventy.addGlobalData('pages', pages)
  eleventy.addGlobalData('withForms', pages.filter(({ form }) => form).length)
  eleventy.addPassthroughCopy({ public: '/' })
  eleventy.addFilter('describe', (html) => html.replace(/<[^>]*>/g, ' ').slice(0, 160))
  return { dir: { input: 'src', output: process.env.BENCH_OUT } }
}
