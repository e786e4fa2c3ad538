/** Measures what it costs to store before answering: `npm run bench:forms`. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Row, table } from '../site/table.ts'

const HELP = `Measures durable posts per second, and the CPU of each, beside a bare node:http
handler that reads the same post, stores nothing and redirects.

Usage: npm run bench:forms -- [options]

  --rounds <n>   rounds; each measures both, one after the other (default 5)
  --seconds <n>  how long each is measured in a round (default 4)
  --help         show this and measure nothing

Needs the built site ("npm run build"). With DATABASE_URL the store is that Postgres, else a new
SQLite file in TMPDIR: set it to a folder on the disk to be measured, because /tmp may be memory.
Exit status: 0 done, 2 when an option is wrong or the site is not built.`

/** How many visitors send at the same time. */
const VISITORS = [1, 64]

interface Measured {
  postsPerSecond: number
  /** For the server's process with all its threads, in milliseconds. */
  cpuPerPost: number
  /** In milliseconds. */
  times: number[]
}

interface Server {
  name: string
  port: number
  /** The CPU used so far, in milliseconds. */
  cpu(): Promise<number>
  end(): void
}

/** Makes every post different, because a repeat would not be stored. */
let sent = 0

const values = options()
if (values.help) console.log(HELP)
else await main()

async function main(): Promise<void> {
  const rounds = count('rounds', 5)
  const milliseconds = count('seconds', 4) * 1000
  const folder = mkdtempSync(join(tmpdir(), 'bench-forms-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const servers = [await start('receiver', folder), await start('bare', folder)]
  for (const server of servers) await post(server, 64, 1000)

  const rows: Row[] = []
  for (const visitors of VISITORS) {
    const found = servers.map((): Measured[] => [])
    for (let round = 1; round <= rounds; round++) {
      for (const [index, server] of servers.entries()) {
        console.error(
          `bench:forms: ${visitors} at a time, round ${round} of ${rounds}, ${server.name}`,
        )
        found[index]?.push(await post(server, visitors, milliseconds))
      }
    }
    const row = (
      measure: string,
      unit: string,
      digits: number,
      value: (of: Measured) => number,
    ) => {
      const [own, ...peers] = found.map((measured) => measured.map(value))
      rows.push({ measure: `${measure}, ${visitors} at a time`, unit, digits, own, peers })
    }
    row('Posts per second', '', 0, ({ postsPerSecond }) => postsPerSecond)
    row('CPU per post', 'ms', 3, ({ cpuPerPost }) => cpuPerPost)
    row('Time to the answer, median', 'ms', 2, ({ times }) => quantile(times, 0.5))
    row('Time to the answer, 99 of 100', 'ms', 2, ({ times }) => quantile(times, 0.99))
  }
  for (const server of servers) server.end()
  const [core] = cpus()
  const load = loadavg()[0]?.toFixed(1)
  console.log(
    `${cpus().length} cores (${core?.model.trim()}), load ${load} at the end; ${process.platform}, Node ${process.version}.\nMedians, with least and most over the rounds.\n`,
  )
  console.log(table(rows, 'The receiver, stored', ['Bare node:http, not stored']))
}

async function start(name: 'receiver' | 'bare', folder: string): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'server.ts'), [name, folder], {
    execArgv: ['--import', 'tsx'],
  })
  process.on('exit', () => child.kill('SIGKILL'))
  child.on('exit', (status) => status && process.exit(2))
  const [port] = await once(child, 'message')
  return {
    name,
    port,
    async cpu() {
      child.send('cpu')
      const [used] = await once(child, 'message')
      return used
    },
    end: () => child.kill('SIGKILL'),
  }
}

/** Posts from concurrent visitors for the given time, each one after its last answer. */
async function post(server: Server, visitors: number, milliseconds: number): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: visitors })
  const times: number[] = []
  const before = await server.cpu()
  const started = performance.now()
  const visitor = async () => {
    while (performance.now() - started < milliseconds) {
      const from = performance.now()
      const status = await send(server.port, agent)
      if (status !== 303) throw new Error(`${server.name} answered with ${status}`)
      times.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: visitors }, visitor))
  const seconds = (performance.now() - started) / 1000
  const used = (await server.cpu()) - before
  agent.destroy()
  return { postsPerSecond: times.length / seconds, cpuPerPost: used / times.length, times }
}

function send(port: number, agent: Agent): Promise<number | undefined> {
  const message = 'A message as visitors write it, of some two hundred letters. '.repeat(4)
  const fields = { name: `Visitor ${++sent}`, email: 'visitor@example.com', message }
  const body = new URLSearchParams(fields).toString()
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': Buffer.byteLength(body),
  }
  return new Promise((resolve, reject) => {
    const options = { port, agent, method: 'POST', path: '/api/forms/bench', headers }
    request(options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
      .on('error', reject)
      .end(body)
  })
}

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN
}

function options() {
  try {
    return parseArgs({
      options: {
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    return refuse((error as Error).message)
  }
}

function count(name: 'rounds' | 'seconds', usual: number): number {
  const text = values[name]
  if (text === undefined) return usual
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  return refuse(`--${name} must be a whole number above 0, but is "${text}"`)
}

function refuse(message: string): never {
  console.error(`bench:forms: ${message}`)
  process.exit(2)
}
