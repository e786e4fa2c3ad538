/** Starts the process behind `npm run serve`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { writeSite } from './site.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The arguments of node. */
export const SERVE = ['--import', 'tsx', 'scripts/serve.ts']

/** Creates a folder for the running test, which is removed after it. */
export function newFolder(atEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-start-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Copies files and folders of the project into a new folder, without the generated dataset. */
export function copyProject(parts: readonly string[], atEnd = onTestFinished): string {
  const folder = newFolder(atEnd)
  const filter = (file: string) => file !== join(ROOT, 'src/generated')
  for (const part of parts) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter })
  }
  return folder
}

/**
 * Creates a project whose `dist/` is the site of `site.ts`. Its receiver speaks English, as the tests
 * do. Everything but the script is a link, so that tsx finds its compiled code in the cache.
 */
export function newProject(atEnd = onTestFinished): string {
  const folder = copyProject(['package.json', 'scripts/serve.ts'], atEnd)
  const script = join(folder, 'scripts/serve.ts')
  writeFileSync(script, `import '../tests/helpers/english.ts'\n${readFileSync(script, 'utf8')}`)
  for (const part of ['src', 'tests', 'node_modules']) {
    symlinkSync(join(ROOT, part), join(folder, part), 'junction')
  }
  const settings = JSON.stringify({ extends: join(ROOT, 'tsconfig.json') })
  writeFileSync(join(folder, 'tsconfig.json'), settings)
  writeSite(join(folder, 'dist'))
  return folder
}

interface Options {
  env?: Record<string, string>
  /** Commands for bash before it becomes the receiver. Only the receiver sees their mounts. */
  prelude?: string
  /** The root of another project than that of `newProject`. */
  cwd?: string
  atEnd?: typeof onTestFinished
}

/** Starts the process, and waits until it prints its address. */
export async function start({
  env = {},
  prelude,
  atEnd = onTestFinished,
  cwd = newProject(atEnd),
}: Options = {}) {
  const folder = newFolder(atEnd)
  const file = join(folder, 'submissions.db')
  const [command = '', ...args] = [
    ...(prelude ? ['unshare', '-rm', 'bash', '-c', `set -e; ${prelude}; exec "$0" "$@"`] : []),
    ...[process.execPath, ...SERVE],
  ]
  const child = spawn(command, args, {
    cwd,
    env: {
      ...process.env,
      // Bash warns of a locale that the machine lacks.
      ...(prelude && { LC_ALL: 'C' }),
      ...{ PORT: '0', RATE_LIMIT: '0', SUBMISSIONS_FILE: file, FOLDER: folder },
      ...env,
    },
  })
  let stdout = ''
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const ended = once(child, 'close').then(([status]) => status as number | null)
  atEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
      const [, found] = /: (\S+)\/ \(/.exec(stdout) ?? []
      if (found) resolve(found)
    })
    ended.then((status) => reject(new Error(`no start, status ${status}: ${stderr}`)))
  })
  return {
    origin,
    port: Number(new URL(origin).port),
    file,
    /** Resolves to the exit status. */
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    output: () => stdout,
    log: () => stderr,
    events: () =>
      stderr
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    async logs(text: string) {
      while (!stderr.includes(text)) await wait(5)
    },
  }
}
