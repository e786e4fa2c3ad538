/** Adds the scripts `check-data` and `fix-data` to a `package.json`, whose formatting stays as it is. */
import fs from 'node:fs'
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'
import { whyNotReplaced } from '../../command/fix-files.ts'
import type { Task } from '../../command/terminal.ts'
import { BuildError, describeSystemError, isSystemError } from '../../machine/errors.ts'
import { hasScriptOf, readScripts, splitMark } from '../scripts.ts'

interface Script {
  name: string
  task: Task
}

const SCRIPTS: readonly Script[] = [
  { name: 'check-data', task: 'check' },
  { name: 'fix-data', task: 'fix' },
]

/**
 * Adds a script for `check` and for `fix`, if no script runs it yet.
 *
 * @param file a `package.json`, which is there
 * @param mayAdd says whether scripts are wanted, such as `script "fix-data"`
 * @returns what to say, line by line
 */
export async function addScripts(
  file: string,
  mayAdd: (wanted: string) => Promise<boolean>,
): Promise<string[]> {
  try {
    return await addTo(file, mayAdd)
  } catch (error) {
    if (!(error instanceof BuildError) && !isSystemError(error)) throw error
    return [`package.json stays without new scripts: ${describeSystemError(error)}.`]
  }
}

async function addTo(
  file: string,
  mayAdd: (wanted: string) => Promise<boolean>,
): Promise<string[]> {
  const before = fs.readFileSync(file)
  const text = before.toString()
  if (!Buffer.from(text).equals(before)) throw new BuildError("it isn't UTF-8")

  const scripts = readScripts(text)
  const missing = SCRIPTS.filter(({ task }) => !hasScriptOf(task, scripts))
  const taken = missing.filter(({ name }) => scripts.has(name))
  const added = missing.filter(({ name }) => !scripts.has(name))

  const lines = taken.map(({ name, task }) => {
    return `package.json has a script "${name}" already, and it isn't "manyurls ${task}". It stays as it is.`
  })
  if (added.length === 0) return lines

  const names = added.map(({ name }) => `"${name}"`).join(' and ')
  const wanted = `${added.length === 1 ? 'script' : 'scripts'} ${names}`
  if (!(await mayAdd(wanted))) return lines

  const { mark, json } = splitMark(text)
  const after = Buffer.from(mark + withScripts(json, added))
  const refusal = await whyNotReplaced(file, before, after)
  if (refusal !== undefined) throw new BuildError(refusal)

  return [...lines, `package.json has the new ${wanted}.`]
}

/** The spaces or tabs before the first key of an object: `\n  "name"`. */
const INDENTATION = /\n([ \t]+)"/

/** @param text of a `package.json`, without a byte-order mark; only what is added is formatted like the rest */
function withScripts(text: string, scripts: readonly Script[]): string {
  const [, indentation = '  '] = INDENTATION.exec(text) ?? []
  const endOfLine = text.includes('\r\n') ? '\r\n' : '\n'

  const commands = scripts.map(({ name, task }) => [name, `manyurls ${task}`])
  const content = { scripts: Object.fromEntries(commands) }
  const lines = JSON.stringify(content, null, indentation).split('\n')

  const root = parseTree(text)
  if (root === undefined) return text

  // The lines are `{`, `  "scripts": {`, one for each script, `  }` and `}`.
  const existing = findNodeAtLocation(root, ['scripts'])
  if (existing) return addLines(text, existing, lines.slice(2, -2), indentation, endOfLine)
  return addLines(text, root, lines.slice(1, -1), '', endOfLine)
}

/**
 * Adds lines at the end of an object.
 *
 * @param indentation of the line of its last brace
 */
function addLines(
  text: string,
  { offset, length, children = [] }: Node,
  lines: readonly string[],
  indentation: string,
  endOfLine: string,
): string {
  const last = children.at(-1)
  const added = lines.map((line) => endOfLine + line).join('')

  if (last === undefined) {
    const end = endOfLine + indentation + text.slice(offset + length - 1)
    return text.slice(0, offset + 1) + added + end
  }
  const place = last.offset + last.length
  return `${text.slice(0, place)},${added}${text.slice(place)}`
}
