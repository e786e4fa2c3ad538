/**
 * The door of this room: a schema becomes the text of a grammar, to be kept for the next build, and
 * the text becomes a way to read batches that nobody can tell from the plain one but by its speed.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { SchemaCheck } from '../dataset/schema.ts'
import type { ReadBatch } from '../dataset/validate.ts'
import { compileGrammar, type Declined, type Grammar } from './grammar.ts'
import { makeReader } from './read.ts'
import { makeScan } from './scan.ts'
import { makeTwin } from './twin.ts'

// Loaded when needed: most builds have the text of the last one.
const require = createRequire(import.meta.url)

/**
 * @param schema a schema of a batch that ajv has compiled
 * @returns text for `readByScanning`, or the first keyword that the scanner cannot handle
 */
export function compileScanner(schema: object): { text: string } | { declined: Declined } {
  const compiled = compileGrammar(schema)
  if ('declined' in compiled) return compiled
  return { text: JSON.stringify({ ...compiled.grammar, program: [...assemble()] }) }
}

/** The program of scan.wat. */
export function assemble(): Uint8Array<ArrayBuffer> {
  const { compile } = require('watr') as typeof import('watr')
  return Uint8Array.from(compile(readFileSync(join(import.meta.dirname, 'scan.wat'), 'utf8')))
}

/**
 * @param text what `compileScanner` made of the schema of the check
 * @param frames of how many problems of a batch the lines around them are kept
 * @param plain what reads a batch that cannot be scanned
 */
export function readByScanning(
  text: string,
  check: SchemaCheck,
  frames: number,
  plain: ReadBatch,
): ReadBatch {
  const { program, ...grammar } = JSON.parse(text) as Grammar & { program: number[] }
  const scan = makeScan(grammar, Uint8Array.from(program)) ?? makeTwin(grammar)
  const keys = grammar.members.map(({ key }) => key)
  return makeReader(scan, keys, check, frames, plain)
}
