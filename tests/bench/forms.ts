/** What it costs to store a post before answering, beside a handler that stores nothing. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import type { Settings } from './build.ts'
import { inRounds, type Program, table } from './measure.ts'

/** How many visitors send at the same time. */
const VISITORS = [1, 64]

interface Server {
  name: string
  port: number
  /** The processor time used so far, in milliseconds. */
  cpu(): Promise<number>
  end(): void
}

/** Makes every post different, because a repeat would not be stored. */
let sent = 0

/** With DATABASE_URL the store is that Postgres, else a new SQLite file in `temp`. */
export async function* benchForms({ temp, rounds, isSmall }: Settings): AsyncGenerator<string> {
  // How long each server is measured in a round, in milliseconds.
  const period = isSmall ? 200 : 4_000
  const servers = [await start('receiver', temp), await start('bare', temp)]
  for (const server of servers) await post(server, 64, 1000)
  const programs = VISITORS.flatMap((visitors) =>
    servers.map((server): Program => {
      return [`${server.name}, ${visitors} at a time`, () => post(server, visitors, period)]
    }),
  )
  const rows = await inRounds(rounds, programs)
  for (const server of servers) server.end()
  const columns = ['posts per second', 'processor ms per post', 'median ms', '99 of 100, ms']
  yield table('Posts', columns, rows)
}

async function start(name: 'receiver' | 'bare', folder: string): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'programs/forms-server.ts'), [name, folder], {
    execArgv: ['--import', 'tsx'],
  })
  process.on('exit', () => child.kill('SIGKILL'))
  child.on('exit', (status) => status && process.exit(1))
  const [port] = await once(child, 'message')
  return {
    name: name === 'receiver' ? 'the receiver, stored' : 'bare node:http, not stored',
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
async function post(server: Server, visitors: number, milliseconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: visitors })
  const times: number[] = []
  const before = await server.cpu()
  const started = performance.now()
  const visitor = async () => {
    while (performance.now() - started < milliseconds) {
      const from = performance.now()
      const status = await send(server.port, agent)
      if (status !== 303) throw new Error(`${server.name}: answered with ${status}`)
      times.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: visitors }, visitor))
  const seconds = (performance.now() - started) / 1000
  const used = (await server.cpu()) - before
  agent.destroy()
  times.sort((a, b) => a - b)
  const quantile = (part: number) => times[Math.floor(part * (times.length - 1))] ?? Number.NaN
  return [times.length / seconds, used / times.length, quantile(0.5), quantile(0.99)]
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
