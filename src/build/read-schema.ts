/** Reads and compiles the schema, or reuses what the last build has compiled. */
import type { SchemaCheck } from '../accept/check.ts'
import { compileSchema, isSchema, loadCheck } from '../accept/compile.ts'
import type { Problem } from '../explain/problem.ts'
import { fault } from '../fault/fault.ts'
import { BuildError, missingPackage } from '../machine/errors.ts'
import type { Node } from '../schema/schemas-in.ts'
import type { SchemaFault, UpgradedSchema } from '../schema/upgrade.ts'
import { acceptsEverything } from '../schema/vet.ts'
import { asObject } from '../text/as-object.ts'
import type { Cache } from './disk/cache.ts'
import type { ExplainRoom } from './explainer.ts'
import { type ReadSchema, readSchemaFiles, type SchemaFile } from './schema-files.ts'

export interface Schema {
  /** Digests all files of the schema. */
  sha256: string
  /** Its `$id`, if it has one. */
  id: string | undefined
  check: SchemaCheck
  /** The schema itself, as `upgradeSchema` returns it. */
  root: Node
  /** Warnings about parts without effect. */
  warnings: Problem[]
}

/** A schema that can't be used. The problems name its file, not a batch. */
export class SchemaError extends BuildError {
  readonly file: string
  readonly problems: readonly Problem[]

  constructor(file: string, problems: readonly Problem[]) {
    super(describe(file, problems))
    this.file = file
    this.problems = problems
  }
}

function describe(file: string, [first, ...others]: readonly Problem[]): string {
  if (!first) return `the schema ${file} cannot be used`

  const { batch, line, column, pointer, message } = first
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return `the schema ${file} cannot be used: ${batch}:${line}:${column}  ${pointer}  ${message}${more}`
}

/** The part of a schema that is kept for the next build. */
interface CompiledSchema {
  code: string
  warnings: Problem[]
}

type LoadExplain = () => Promise<ExplainRoom>

/**
 * Reads a schema, and keeps what it has compiled for the next build.
 *
 * @throws BuildError if there is no such file
 * @throws SchemaError if it can't be used
 */
export type SchemaReader = (file: string) => Promise<Schema>

/** @param loadExplain loads what explains an invalid schema */
export function createSchemaReader(cache: Cache, loadExplain: LoadExplain): SchemaReader {
  return async (file) => {
    const sources = readSchemaFiles(file)
    const { sha256, upgraded } = sources

    const madeOf = `${file} ${sha256}`
    const compiled =
      cache.get<CompiledSchema>('check', madeOf) ??
      cache.add('check', madeOf, await compile(file, sources, loadExplain))

    const { code, warnings } = compiled
    const id = idOf(sources.files[0].document.value)
    return { sha256, id, check: loadCheck(code), root: upgraded.schema, warnings }
  }
}

async function compile(
  file: string,
  sources: ReadSchema,
  loadExplain: LoadExplain,
): Promise<CompiledSchema> {
  const { files, upgraded } = sources
  const textFaults = files.filter(({ document }) => document.value === undefined)
  const parts = upgraded.parts.filter(({ document, value, draft }) => {
    return document.value !== undefined && !isSchema(value, draft)
  })

  const isRefused = textFaults.length > 0 || parts.length > 0 || upgraded.faults.length > 0
  if (isRefused) throw new SchemaError(file, explain(sources, await loadExplain()))

  const code = tryToCompile(upgraded.schema)
  if (code instanceof Error) {
    const why = fault('schema-file.not-compiled', [], { message: code.message })
    throw new SchemaError(file, explainFile(await loadExplain(), files[0], [why]))
  }

  return { code, warnings: await explainWarnings(sources, loadExplain) }
}

/** Explains all that makes a schema unusable. */
function explain({ files, upgraded }: ReadSchema, room: ExplainRoom): Problem[] {
  return files.flatMap((file) => {
    const isUnreadable = file.document.value === undefined
    if (isUnreadable) return explainFile(room, file, file.faults)

    const parts = upgraded.parts.filter(({ document }) => document === file.document)
    return explainFile(room, file, faultsIn(file, upgraded.faults), parts)
  })
}

async function explainWarnings(
  { files, upgraded }: ReadSchema,
  loadExplain: LoadExplain,
): Promise<Problem[]> {
  const mainFaults = acceptsEverything(upgraded.schema) ? [fault('schema-file.no-check', [])] : []
  const faulty = files
    .map((file, index) => {
      const faultsOfAll = index === 0 ? mainFaults : []
      return {
        file,
        faults: [...faultsOfAll, ...file.faults, ...faultsIn(file, upgraded.warnings)],
      }
    })
    .filter(({ faults }) => faults.length > 0)
  if (faulty.length === 0) return []

  const room = await loadExplain()
  return faulty.flatMap(({ file, faults }) => explainFile(room, file, faults))
}

/** Returns the `$id` of a schema, or in draft-04 its `id`. */
function idOf(schema: unknown): string | undefined {
  const { $id, id } = asObject(schema)
  const address = $id ?? id
  return typeof address === 'string' ? address : undefined
}

function tryToCompile(schema: object): string | Error {
  try {
    return compileSchema(schema)
  } catch (error) {
    if (missingPackage(error) !== undefined) throw error
    return error as Error
  }
}

function faultsIn({ document }: SchemaFile, faults: readonly SchemaFault[]) {
  return faults.filter((found) => found.document === document).map((found) => found.fault)
}

function explainFile(
  room: ExplainRoom,
  { document: { name }, bytes }: SchemaFile,
  faults: SchemaFile['faults'],
  parts: UpgradedSchema['parts'] = [],
): Problem[] {
  return room.explainSchemaFile({ name, bytes }, faults, parts)
}
