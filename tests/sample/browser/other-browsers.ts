/** Drives the Firefox or WebKit of the machine by its own protocol. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

export interface Session {
  goto(url: string): Promise<void>
  /** Runs a script in the document and returns its result. */
  run<T>(script: string): Promise<T>
  close(): Promise<void>
}

/** Returns how to open each installed browser, by its name. */
export function otherBrowsers(): Map<string, () => Promise<Session>> {
  const found = new Map<string, () => Promise<Session>>()
  const firefox = programs('firefox', 'firefox-esr')[0]
  if (firefox) found.set('Firefox', () => openFirefox(firefox))
  const [driver] = programs('WebKitWebDriver')
  // It needs a screen; a virtual one will do.
  const screen = process.env.DISPLAY ? [] : programs('xvfb-run').map((path) => [path, '-a'])[0]
  if (driver && screen) found.set('WebKit', () => openWebKit([...screen, driver]))
  return found
}

function programs(...names: string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).filter(existsSync)
}

/** Opens Firefox by Marionette: messages over TCP, each after its length and a colon. */
async function openFirefox(program: string): Promise<Session> {
  const profile = mkdtempSync(join(tmpdir(), 'manyurls-firefox-'))
  writeFileSync(join(profile, 'user.js'), 'user_pref("marionette.port", 0);\n')
  const child = start([program, '--headless', '--marionette', '--no-remote', '--profile', profile])
  const portFile = join(profile, 'MarionetteActivePort')
  while (!existsSync(portFile) || readFileSync(portFile, 'utf8') === '') await setTimeout(100)
  const socket = connect(Number(readFileSync(portFile, 'utf8')), '127.0.0.1')
  let received = Buffer.alloc(0)
  const waiting: ((message: unknown[]) => void)[] = [() => {}]
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    for (;;) {
      const colon = received.indexOf(':')
      const end = colon + 1 + Number(received.subarray(0, colon))
      if (colon < 0 || received.length < end) return
      waiting.shift()?.(JSON.parse(received.subarray(colon + 1, end).toString()))
      received = received.subarray(end)
    }
  })
  let id = 0
  async function send(command: string, parameters: object = {}) {
    const answer = new Promise<unknown[]>((resolve) => waiting.push(resolve))
    const message = JSON.stringify([0, ++id, `WebDriver:${command}`, parameters])
    socket.write(`${Buffer.byteLength(message)}:${message}`)
    const [, , error, result] = await answer
    if (error) throw new Error(`Firefox: ${JSON.stringify(error)}`)
    return result as { value: never }
  }
  await send('NewSession')
  return {
    goto: async (url) => void (await send('Navigate', { url })),
    run: async (script) => (await send('ExecuteScript', { script, args: [] })).value,
    async close() {
      socket.destroy()
      await stop(child)
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Opens WebKit by WebDriver over HTTP (W3C WebDriver, section 6). */
async function openWebKit(command: string[]): Promise<Session> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  // When a signal ends xvfb-run, it leaves its temporary folder behind.
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-webkit-'))
  const child = start([...command, `--port=${port}`], { TMPDIR: folder })
  const origin = `http://127.0.0.1:${port}`
  while (!(await fetch(`${origin}/status`).catch(() => undefined))?.ok) await setTimeout(100)
  async function send(method: string, path: string, body?: object) {
    const response = await fetch(origin + path, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: never }
    if (!response.ok) throw new Error(`WebKit: ${JSON.stringify(value)}`)
    return value
  }
  const { sessionId } = (await send('POST', '/session', { capabilities: {} })) as {
    sessionId: string
  }
  const session = `/session/${sessionId}`
  return {
    goto: (url) => send('POST', `${session}/url`, { url }),
    run: (script) => send('POST', `${session}/execute/sync`, { script, args: [] }),
    async close() {
      await send('DELETE', session)
      await stop(child)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Starts a program in its own process group, to stop it together with all that it starts. */
function start([program = '', ...args]: string[], settings: NodeJS.ProcessEnv = {}): ChildProcess {
  const env = { ...process.env, ...settings }
  const child = spawn(program, args, { detached: true, stdio: 'ignore', env })
  process.once('exit', () => end(child))
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  end(child)
  await ended
}

function end({ pid, exitCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null) spawnSync('kill', ['-TERM', '--', `-${pid}`])
}
