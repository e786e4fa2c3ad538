/** The measurements, as rows of the table with their budgets. Budgets are in 1 kB = 1,000 bytes. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '../../../tests/browser/chromium.ts'
import type { Visits } from './browser.ts'
import type { Cost } from './child.ts'
import type { Sample } from './data.ts'
import type { Generator } from './generators.ts'
import { CATEGORIES, lighthouse, type Scores } from './lighthouse.ts'
import { type StaticServer, serve } from './server.ts'
import { median, type Row, type Samples } from './table.ts'

const SLOWDOWN = 4

/** What has been built: the folder of each generator and size. */
export type Built = (generator: Generator, sample: Sample) => string

/** Builds every size with every generator, in turns so that other load affects all alike. */
export async function buildRows(
  generators: Generator[],
  samples: Sample[],
  built: Built,
  rounds: number,
): Promise<Row[]> {
  const costs = new Map<string, Cost[]>()
  for (let round = 1; round <= rounds; round++) {
    for (const sample of samples) {
      for (const generator of generators) {
        progress(`build ${round} of ${rounds}: ${sample.size} pages, ${generator.name}`)
        const folder = built(generator, sample)
        const cost = await generator.build(sample.dataset, folder)
        costs.set(folder, [...(costs.get(folder) ?? []), cost])
      }
    }
  }
  const per = (sample: Sample, value: (cost: Cost) => number): [Samples, Samples[]] => {
    const [own, ...peers] = generators.map((generator) => {
      return costs.get(built(generator, sample))?.map(value)
    })
    return [own, peers]
  }
  const rows = samples.flatMap((sample): Row[] => {
    const { size } = sample
    const isLarge = size === 10_000
    const row = (measure: string, unit: string, value: (cost: Cost) => number): Row => {
      const [own, peers] = per(sample, value)
      return { measure: `${measure}, ${pages(size)}`, unit, own, peers }
    }
    const time = row('Build', 's', ({ seconds }) => seconds)
    const speed = row('Documents per second', '', ({ seconds }) => size / seconds)
    const memory = row('Peak memory of the build', 'MB', ({ memory }) => memory / 1e6)
    return [
      { ...time, digits: 1, ...(isLarge && { budget: { below: 10 } }) },
      speed,
      { ...memory, ...(isLarge && { budget: { below: 500 } }) },
    ]
  })
  const [thousand, tenThousand] = samples.slice(-2)
  if (tenThousand?.size !== 10_000 || !thousand) return rows
  const growth = generators.map((generator) => {
    const each = ({ size, ...sample }: Sample) =>
      costs.get(built(generator, { size, ...sample }))?.map(({ seconds }) => seconds / size) ?? []
    return [median(each(tenThousand)) / median(each(thousand))]
  })
  const [own, ...peers] = growth
  const measure = `Time per document, 10,000 pages to 1,000`
  const ratio: Row = { measure, unit: '×', digits: 2, budget: { most: 1.5 }, own, peers }
  return [
    ...rows,
    ratio,
    againstEleventy(generators, (generator) => costs.get(built(generator, tenThousand))),
  ]
}

/** How much longer the build takes than Eleventy's, if that was measured. */
function againstEleventy(
  generators: Generator[],
  costsOf: (generator: Generator) => Cost[] | undefined,
): Row {
  const [own, eleventy] = [/^This site/, /^Eleventy/].map((name) => {
    const generator = generators.find((each) => name.test(each.name))
    return generator && median((costsOf(generator) ?? []).map(({ seconds }) => seconds))
  })
  return {
    measure: 'Build, 10,000 pages, to that of Eleventy',
    unit: '×',
    digits: 2,
    budget: { most: 1.2 },
    own: own !== undefined && eleventy !== undefined ? [own / eleventy] : undefined,
  }
}

/** First loads over the wire: of the index, and of the sampled pages, whose spread is shown. */
export async function loadRows(
  generators: Generator[],
  samples: Sample[],
  built: Built,
  browser: Visits,
): Promise<Row[]> {
  const rows: Row[] = []
  const pageAt = new Map<number, number[]>()
  for (const sample of samples) {
    const { size, paths } = sample
    const index: Samples[] = []
    const page: Samples[] = []
    for (const generator of generators) {
      progress(`first loads: ${size} pages, ${generator.name}`)
      await served(built(generator, sample), async ({ origin }) => {
        index.push([(await browser.firstLoad(`${origin}/`)) / 1_000])
        const bytes: number[] = []
        for (const path of paths) bytes.push((await browser.firstLoad(origin + path)) / 1_000)
        page.push(bytes)
      })
    }
    const row = (what: string, [own, ...peers]: Samples[]): Row => {
      const measure = `First load of ${what}, ${pages(size)}`
      const budget = size === 100 && { budget: { most: 70 } }
      return { measure, unit: 'kB', digits: 1, own, peers, ...budget }
    }
    rows.push(row('the index', index), row('a page', page))
    if (size === 10_000) rows.push(documentRow(generators, (each) => built(each, sample)))
    pageAt.set(
      size,
      page.map((bytes) => median(bytes ?? [])),
    )
  }
  const [least, most] = [pageAt.get(100), pageAt.get(10_000)]
  if (!least || !most) return rows
  const [own, ...peers] = most.map((bytes, at) => [bytes / (least[at] ?? Number.NaN)])
  const measure = 'First load of a page, 10,000 pages to 100'
  return [...rows, { measure, unit: '×', digits: 2, budget: { most: 1.25 }, own, peers }]
}

/** The uncompressed size of the index document, which a browser has to parse. */
function documentRow(generators: Generator[], folderOf: (generator: Generator) => string): Row {
  const [own, ...peers] = generators.map((generator) => {
    return [statSync(join(folderOf(generator), 'index.html')).size / 1_000]
  })
  const measure = 'Document of the index, 10,000 pages, not compressed'
  return { measure, unit: 'kB', digits: 1, budget: { most: 60 }, own, peers }
}

/** How fast the index responds while it loads and while someone types into its filter. */
export async function answerRows(sample: Sample, folder: string, browser: Visits, rounds: number) {
  const blocking: number[] = []
  const unthrottled: number[] = []
  const response: number[] = []
  const cards: number[] = []
  await served(folder, async ({ origin }) => {
    for (let round = 1; round <= rounds; round++) {
      progress(`blocking time and filter ${round} of ${rounds}: ${sample.size} pages`)
      blocking.push(await browser.blockingTime(`${origin}/`, SLOWDOWN))
      unthrottled.push(await browser.blockingTime(`${origin}/`, 1))
      const answered = await browser.keystrokes(`${origin}/`, SLOWDOWN)
      if (!answered) continue
      response.push(answered.response)
      cards.push(answered.cards)
    }
  })
  const at = pages(sample.size)
  const slow = `CPU ${SLOWDOWN}× slower`
  const budget = (below: number) => sample.size === 10_000 && { budget: { below } }
  const rows: Row[] = [
    {
      measure: `Total blocking time of the index, ${at}, ${slow}`,
      unit: 'ms',
      own: blocking,
      ...budget(250),
    },
    { measure: `Total blocking time of the index, ${at}`, unit: 'ms', own: unthrottled },
    {
      measure: `Worst keystroke in the filter to paint, ${at}, ${slow}`,
      unit: 'ms',
      own: response,
      ...budget(200),
    },
    {
      measure: `Worst keystroke to its cards painted, ${at}, ${slow}`,
      unit: 'ms',
      own: cards,
      ...budget(200),
    },
  ]
  return rows
}

/** Lighthouse's scores, mobile. If it does not run, a message and the rows say so. */
export async function qualityRows(temp: string, sample: Sample, folder: string, runs: number) {
  const rows: Row[] = []
  await served(folder, async ({ origin }) => {
    for (const [what, path] of [
      ['index', '/'] as const,
      ['page', sample.paths[2] ?? '/'] as const,
    ]) {
      const scores: Scores[] = []
      try {
        for (let run = 1; run <= runs; run++) {
          progress(`Lighthouse ${run} of ${runs}: ${what}`)
          scores.push(await lighthouse(temp, chromium().executablePath, origin + path))
        }
      } catch (error) {
        console.error(`Lighthouse does not run here: ${(error as Error).message}`)
      }
      for (const category of CATEGORIES) {
        const own = scores.map((score) => score[category])
        const measure = `Lighthouse, mobile, ${what}: ${category}`
        rows.push({ measure, unit: '', budget: { least: 100 }, own })
      }
    }
  })
  return rows
}

function pages(size: number): string {
  return `${size.toLocaleString('en')} pages`
}

async function served<T>(folder: string, visit: (server: StaticServer) => Promise<T>): Promise<T> {
  const server = await serve(folder)
  try {
    return await visit(server)
  } finally {
    server.close()
  }
}

function progress(text: string): void {
  console.error(`bench:site: ${text}`)
}
