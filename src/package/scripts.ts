/** The scripts of `package.json` that run our commands. Messages name them. */
import fs from 'node:fs'
import path from 'node:path'
import type { Task } from '../command/terminal.ts'
import { BuildError } from '../machine/errors.ts'
import { isPlainObject } from '../text/as-object.ts'
import { findAbove, findConfig } from './config-file.ts'

/** The scripts of a `package.json`: the command of each, by its name. */
export type Scripts = ReadonlyMap<string, unknown>

const BYTE_ORDER_MARK = '\ufeff'

/** Splits the text of a `package.json` behind a byte-order mark, which npm allows. */
export function splitMark(text: string): { mark: string; json: string } {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  return { mark, json: text.slice(mark.length) }
}

/**
 * @param text of a `package.json`
 * @throws BuildError that says why it has no scripts, such as "it isn't valid JSON"
 */
export function readScripts(text: string): Scripts {
  const content = parse(splitMark(text).json)
  if (!isPlainObject(content)) throw new BuildError("it isn't an object")

  const { scripts = {} } = content
  if (!isPlainObject(scripts)) throw new BuildError('its "scripts" isn\'t an object')

  return new Map(Object.entries(scripts))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BuildError("it isn't valid JSON")
  }
}

/** Returns the name of the script that is exactly a command, such as `"data": "manyurls check"`. */
export function scriptOf(task: Task, scripts: Scripts): string | undefined {
  for (const [name, command] of scripts) {
    if (command === `manyurls ${task}`) return name
  }
  return undefined
}

/** Options after a command, such as ` --strict --report=a.html`, without another command after them. */
const OPTIONS = /^(?: -[^&|;]*)?$/

/** Whether a script runs a command, perhaps with options: `"lint": "manyurls check --strict"`. */
export function hasScriptOf(task: Task, scripts: Scripts): boolean {
  const command = `manyurls ${task}`
  return [...scripts.values()].some((script) => {
    if (typeof script !== 'string' || !script.startsWith(command)) return false
    return OPTIONS.test(script.slice(command.length))
  })
}

/**
 * Returns the scripts that a package manager runs from a folder: those of the nearest `package.json`. It
 * runs them beside that file. If they would find another configuration there, or the file can't be read,
 * there are none.
 *
 * @param config the configuration of the folder
 */
export function scriptsFrom(folder: string, config: string | undefined): Scripts {
  const file = findAbove(folder, ['package.json'])
  if (file === undefined || findConfig(path.dirname(file)) !== config) return new Map()

  try {
    return readScripts(fs.readFileSync(file, 'utf8'))
  } catch {
    return new Map()
  }
}
