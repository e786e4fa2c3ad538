import { readFileSync } from 'node:fs'

export const pages = JSON.parse(readFileSync(process.env.BENCH_DATASET, 'utf8'))
