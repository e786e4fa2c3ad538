/** Tries the schema of a kind on its files: whether it's that of a file or of a record, and what it refuses. */
import { asObject } from '../../text/as-object.ts'
import type { Kind } from './kind.ts'
import type { Shape } from './look.ts'
import type { FoundSchema } from './schemas.ts'

/** A compiled schema: returns the places that it refuses. */
export type Check = (value: unknown) => readonly (readonly (string | number)[])[]

/** What a schema is tried with. */
export interface Tools {
  /** Compiles a schema by the name of its file; a text says why it can't be used. */
  compile(name: string): Promise<Check | string>
  /** Reads a file; undefined if it can't be read. */
  read(name: string): unknown
}

/** What the configuration says of a schema. */
export type SchemaChoice =
  | Exclude<FoundSchema, { kind: 'one' }>
  | (Extract<FoundSchema, { kind: 'one' }> & Trial)

interface Trial {
  isOfRecord: boolean
  /** How many records it refuses, of how many that were tried. */
  refused: number
  tried: number
  /** Why it can't be used. */
  failure?: string
}

/** How many files are tried. */
const MOST_FILES = 100

export async function choose(found: FoundSchema, kind: Kind, tools: Tools): Promise<SchemaChoice> {
  if (found.kind !== 'one') return found

  return { ...found, ...(await tryOut(found.schema.name, kind, tools)) }
}

/** Tries a schema on whole files and on their records, and takes it for that of which it refuses less. */
async function tryOut(name: string, { files, shape }: Kind, tools: Tools): Promise<Trial> {
  const check = await tools.compile(name)
  if (typeof check === 'string') return { isOfRecord: false, refused: 0, tried: 0, failure: check }

  const step = Math.ceil(files.length / MOST_FILES)
  const values = files.filter((_, at) => at % step === 0).map((file) => tools.read(file.name))

  let tried = 0
  let inFiles = 0
  let inRecords = 0
  for (const value of values) {
    const records = recordsIn(value, shape)
    const count = Math.max(1, records.length)
    tried += count
    inFiles += Math.min(count, refusedIn(check(value), shape) ?? count)
    inRecords += records.length === 0 ? 1 : records.filter((item) => check(item).length > 0).length
  }

  const isEqual = inFiles === inRecords && shape.kind === 'list' && check([]).length > 0
  const isOfRecord = shape.kind !== 'one record' && (inRecords < inFiles || isEqual)
  return { isOfRecord, refused: isOfRecord ? inRecords : inFiles, tried }
}

function recordsIn(file: unknown, shape: Shape): unknown[] {
  switch (shape.kind) {
    case 'one record':
      return []
    case 'list':
      return Object.values(asObject(file))
    case 'under a key':
      return Object.values(asObject(asObject(file)[shape.key]))
    case 'objects by key': {
      const { $schema, ...records } = asObject(file)
      return Object.values(shape.hasSchema ? records : asObject(file))
    }
  }
}

/** Counts the records of a file that its schema refuses; undefined if it refuses what is around them. */
function refusedIn(places: ReturnType<Check>, shape: Shape): number | undefined {
  const depth = shape.kind === 'under a key' ? 2 : 1
  if (places.some((place) => place.length < depth)) return undefined
  return new Set(places.map((place) => place[depth - 1])).size
}
