/**
 * The entry point of the scanner. It compiles a schema to a text that can be cached for the next
 * build, and makes a reader of that text. The reader differs from the plain one only in speed.
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

// Loaded on demand: most builds have the text of the last one.
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

/** Assembles the program of scan.wat. */
export function assemble(): Uint8Array<ArrayBuffer> {
  const { compile } = require('watr') as typeof import('watr')
  return Uint8Array.from(compile(readFileSync(join(import.meta.dirname, 'scan.wat'), 'utf8')))
}

/**
 * @param text what `compileScanner` returned for the schema of the check
 * @param frames for how many problems of a batch the lines around them are kept
 * @param plain reads the batches that cannot be scanned
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
