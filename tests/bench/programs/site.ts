// Builds the site of a dataset.
import { buildSite } from '../../../src/static/build-site.ts'

const { BENCH_DATASET = '', BENCH_OUT = '' } = process.env
await buildSite({ outDir: BENCH_OUT, dataset: BENCH_DATASET })
