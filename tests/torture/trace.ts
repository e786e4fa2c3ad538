/** Traces what a process does to the disk, in order. The only module that uses strace. */
import { spawn, spawnSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** A system call that changes a file or a folder, or prints something. */
export type Call =
  | { kind: 'make folder' | 'make file' | 'remove' | 'flush'; path: string }
  | { kind: 'rename'; path: string; to: string }
  | { kind: 'write'; path: string; at: number; bytes: Buffer }
  | { kind: 'truncate'; path: string; size: number }
  | { kind: 'tell'; text: string }

const CALLS = [
  ...['open', 'openat', 'creat', 'mkdir', 'mkdirat', 'link', 'linkat', 'symlink', 'symlinkat'],
  ...['write', 'writev', 'pwrite64', 'pwritev', 'pwritev2', 'ftruncate', 'truncate', 'fallocate'],
  ...['fsync', 'fdatasync', 'sync_file_range', 'unlink', 'unlinkat', 'rmdir'],
  ...['rename', 'renameat', 'renameat2', 'copy_file_range', 'sendfile'],
]

/** Says in one line why tracing does not work here, and what to do; undefined if it works. */
export function whyNoTrace(): string | undefined {
  const { error, status } = spawnSync('strace', ['-f', '-o', '/dev/null', 'true'])
  if (error) {
    return 'strace is not installed; on Debian and Ubuntu "apt-get install strace" brings it, on Fedora "dnf install strace", on Alpine "apk add strace" (it exists for Linux only)'
  }
  return status === 0
    ? undefined
    : 'strace has no permission to trace here; a container needs "--cap-add=SYS_PTRACE"'
}

/** Runs node and traces it into a file. */
export async function trace(args: readonly string[], file: string): Promise<void> {
  // A platform may lack some of the calls: the question mark makes strace ignore these.
  const calls = CALLS.map((call) => `?${call}`).join(',')
  const options = ['-f', '-y', '-xx', '-s', '10000000', '-e', `trace=${calls}`]
  const child = spawn('strace', [...options, '-o', file, process.execPath, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.resume()
  const status = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (status !== 0) throw new Error(`the traced process ended with status ${status}`)
}

/** Reads the calls inside a folder, and what was printed on standard output. */
export async function readCalls(file: string, folder: string): Promise<Call[]> {
  const calls: Call[] = []
  const unfinished = new Map<string, string>()
  for await (const line of createInterface({ input: createReadStream(file, 'latin1') })) {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    if (rest.endsWith('<unfinished ...>')) {
      const begun = rest.slice(0, -'<unfinished ...>'.length)
      // A write counts when it begins, because its text may be read, or its bytes may be on the
      // disk, before it returns. A flush counts only when it returns.
      if (/^p?write/.test(begun)) calls.push(...readCall(`${begun}) = 0`, folder))
      else unfinished.set(thread, begun)
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)
    if (!resumed) calls.push(...readCall(rest, folder))
    else if (unfinished.has(thread)) {
      calls.push(...readCall(`${unfinished.get(thread)}${resumed[1]}`, folder))
      unfinished.delete(thread)
    }
  }
  return calls
}

/** A call as strace writes it, such as `fsync(5</data/a.db>) = 0`: its name, arguments and result. */
const CALL = /^(\w+)\((.*)\)\s+= (.+)$/
/** A text among the arguments, in hexadecimal: with `-xx`, strace writes all of them so. */
const STRING = /"((?:\\x[0-9a-f]{2})*)"/g
/** A descriptor as the first argument, and its file, such as `5</data/a.db>`. */
const DESCRIPTOR = /^\d+<([^>]*)>/
/** The descriptor of standard output. */
const STANDARD_OUTPUT = /^1</

/** The arguments of a system call. */
interface Arguments {
  /** As strace writes them. */
  list: string
  strings: Buffer[]
  numbers: number[]
}

function readCall(line: string, folder: string): Call[] {
  const [, name = '', list = '', result = ''] = CALL.exec(line) ?? []
  const hasFailed = result.startsWith('-1')
  if (hasFailed) return []

  const strings = Array.from(list.matchAll(STRING), ([, hex = '']) => decode(hex))
  const numbers = list.split(', ').map(Number)
  const file = fileOfDescriptor(list)
  const isOurs = (path: string) => path === folder || path.startsWith(`${folder}/`)

  const isPrinted = name === 'write' && STANDARD_OUTPUT.test(list) && !isOurs(file)
  if (isPrinted) return [{ kind: 'tell', text: String(strings[0]) }]

  const path = isOurs(file) ? file : strings.map(String).find(isOurs)
  return path === undefined ? [] : callsOn(path, name, { list, strings, numbers })
}

function decode(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex')
}

/** Returns the file of the descriptor that is the first argument; '' if none is. */
function fileOfDescriptor(list: string): string {
  const [, file = ''] = DESCRIPTOR.exec(list) ?? []
  return file.startsWith('\\x') ? String(decode(file)) : file
}

/** Returns what a system call does to a file or a folder. */
function callsOn(path: string, name: string, { list, strings, numbers }: Arguments): Call[] {
  switch (name) {
    case 'open':
    case 'openat':
    case 'creat':
      return openingCalls(path, name, list)
    case 'mkdir':
    case 'mkdirat':
      return [{ kind: 'make folder', path }]
    case 'pwrite64':
      return [{ kind: 'write', path, at: numbers.at(-1) as number, bytes: strings[0] as Buffer }]
    case 'ftruncate':
    case 'truncate':
      return [{ kind: 'truncate', path, size: numbers.at(-1) as number }]
    case 'fsync':
    case 'fdatasync':
      return [{ kind: 'flush', path }]
    case 'unlink':
    case 'unlinkat':
      return [{ kind: 'remove', path }]
    case 'rename':
    case 'renameat':
    case 'renameat2':
      return [{ kind: 'rename', path, to: String(strings.at(-1)) }]
    default:
      // If it were ignored, the test would check a disk that never existed.
      throw new Error(`the torture test does not know what ${name} does to ${path}`)
  }
}

function openingCalls(path: string, name: string, list: string): Call[] {
  const isMade = name === 'creat' || list.includes('O_CREAT')
  const isEmptied = name === 'creat' || list.includes('O_TRUNC')

  const calls: Call[] = []
  if (isMade) calls.push({ kind: 'make file', path })
  if (isEmptied) calls.push({ kind: 'truncate', path, size: 0 })
  return calls
}
