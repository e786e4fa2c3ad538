/** The site's own configuration with the dataset in BENCH_DATASET and the folder BENCH_OUT. */
import { defineConfig, type PluginOption } from 'vite'
import { documents } from '../../../src/site/static/static-site.ts'
import site from '../../../src/site/static/vite.config.ts'

const { BENCH_DATASET: dataset, BENCH_OUT: outDir } = process.env
if (!dataset || !outDir) throw new Error('BENCH_DATASET and BENCH_OUT must be set')
const own = documents({ dataset })

export default defineConfig({
  ...site,
  plugins: withOwn(site.plugins ?? []),
  build: { ...site.build, outDir, emptyOutDir: true },
})

function withOwn(plugins: readonly PluginOption[]): PluginOption[] {
  if (!plugins.some(isOwn)) throw new Error(`the site's vite.config.ts has no plugin "${own.name}"`)
  return plugins.map((plugin) => (isOwn(plugin) ? own : plugin))
}

function isOwn(plugin: PluginOption): boolean {
  return plugin instanceof Object && 'name' in plugin && plugin.name === own.name
}
