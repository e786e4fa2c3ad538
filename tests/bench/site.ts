/** What the site costs: its build, its index, a start of the receiver, and a key in the filter. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type Browser, chromium as playwright } from '@playwright/test'
import { sampleBatches } from '../../scripts/samples/batches.ts'
import { formatNumber } from '../../src/text/wording.ts'
import { chromium } from '../browser/chromium.ts'
import type { Settings } from './build.ts'
import { COSTS, inRounds, measure, type Program, table } from './measure.ts'

const SIZES = [100, 1_000, 10_000, 50_000]

/** How many times slower the processor of the browser is made, as that of a cheap phone. */
const SLOWER = 4

const COLUMNS = [
  'index.html, kB of brotli',
  'start to first answer, seconds',
  `key to its frame, ms, ${SLOWER} times slower`,
]

export async function* benchSite({ temp, rounds, isSmall }: Settings): AsyncGenerator<string> {
  const browser = await playwright.launch(chromium())
  const [dataset, out] = [join(temp, 'pages.json'), join(temp, 'dist')]
  const programs = (isSmall ? SIZES.slice(0, 1) : SIZES).map((size): Program => {
    return [`${formatNumber(size)} pages`, () => build(size)]
  })
  const build = async (size: number) => {
    const sample = { pages: size, batches: 5, duplicates: 0, forms: 0.3, seed: 1 }
    writeFileSync(dataset, JSON.stringify([...sampleBatches(sample)].flat()))
    rmSync(out, { recursive: true, force: true })
    const program = join(import.meta.dirname, 'programs/site.ts')
    const env = { BENCH_DATASET: dataset, BENCH_OUT: out }
    const costs = await measure(['--import', 'tsx', program], temp, env)
    const index = brotliCompressSync(readFileSync(join(out, 'index.html'))).length / 1000
    const server = await start(out, temp)
    const keys = await typeInto(server.address, browser)
    server.end()
    return [...costs, index, server.seconds, keys]
  }
  yield table('The site', [...COSTS, ...COLUMNS], await inRounds(rounds, programs))
  await browser.close()
}

/** Starts the receiver with a new store, and waits for its first answer. */
async function start(out: string, temp: string) {
  const program = join(import.meta.dirname, 'programs/serve.ts')
  const file = join(temp, 'submissions.db')
  rmSync(file, { force: true })
  const from = performance.now()
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    // Nothing else: a database or a mail server of this shell is not for a benchmark.
    env: { PATH: process.env.PATH, BENCH_OUT: out, SUBMISSIONS_FILE: file, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.on('exit', (status) => status && process.exit(1))
  const [line] = await once(child.stdout, 'data')
  const address = /http:\S+/.exec(String(line))?.[0] ?? ''
  await (await fetch(address)).text()
  const seconds = (performance.now() - from) / 1000
  const end = () => {
    process.off('exit', kill)
    kill()
  }
  return { address, seconds, end }
}

/**
 * Types the first category into the filter of the index, then deletes it again.
 *
 * @returns the milliseconds from each key to the frame that shows what it finds
 */
async function typeInto(address: string, browser: Browser): Promise<number[]> {
  const page = await browser.newPage()
  await page.goto(address)
  const word = await page.locator('select option').nth(1).innerText()
  await page.locator('input[type=search]').click()
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const times: number[] = []
  for (const key of [...word, ...Array<string>(word.length).fill('Backspace')]) {
    const next = await page.evaluateHandle(nextKey)
    await page.keyboard.press(key)
    times.push(await next.evaluate(({ shown }) => shown))
  }
  await page.close()
  return times
}

/**
 * Runs in the page: the milliseconds until a frame shows what the next key has changed. React
 * renders it before the event ends.
 */
function nextKey(): { shown: Promise<number> } {
  const shown = new Promise<number>((resolve) => {
    let pressed = 0
    addEventListener('keydown', ({ timeStamp }) => (pressed = timeStamp), { once: true })
    addEventListener(
      'input',
      // The frame is painted before the next task after it.
      () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed))),
      { once: true },
    )
  })
  return { shown }
}
