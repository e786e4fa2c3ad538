/** Tries the schema of a kind on its files: whether it's that of a file or of a record, and what it refuses. */
import { asObject } from '../../text/as-object.ts'
import type { Kind } from './kinds.ts'
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

/** Which part a schema may refuse that is only the neighbour. */
const MOST_REFUSED = 0.1

export async function choose(found: FoundSchema, kind: Kind, tools: Tools): Promise<SchemaChoice> {
  if (found.kind !== 'one') return found

  const trial = await tryOut(found.schema.name, kind, tools)
  const isRefusing = trial.refused > MOST_REFUSED * trial.tried || trial.failure !== undefined
  if (found.reason === 'neighbour' && isRefusing) {
    return { kind: 'unclear', schemas: [found.schema], isNeighbour: true }
  }
  return { ...found, ...trial }
}

async function tryOut(name: string, { files, shape }: Kind, tools: Tools): Promise<Trial> {
  const isOfFile = { isOfRecord: false, refused: 0, tried: 0 }
  const check = await tools.compile(name)
  if (typeof check === 'string') return { ...isOfFile, failure: check }

  const asFile = { ...isOfFile }
  const asRecord = { ...isOfFile, isOfRecord: true }
  for (const file of someOf(files)) {
    const value = tools.read(file.name)
    const records = recordsIn(value, shape)

    asFile.tried += Math.max(1, records.length)
    asFile.refused += refusedIn(check(value), shape, records.length)
    asRecord.tried += Math.max(1, records.length)
    asRecord.refused += records.filter((record) => check(record).length > 0).length
    if (records.length === 0) asRecord.refused++
  }

  if (shape.kind === 'one record') return asFile
  if (asFile.refused !== asRecord.refused) {
    return asFile.refused < asRecord.refused ? asFile : asRecord
  }
  return check([]).length === 0 || shape.kind !== 'list' ? asFile : asRecord
}

/** Returns some of many, from the first to the last. */
function someOf<Item>(items: readonly Item[]): readonly Item[] {
  const step = Math.ceil(items.length / MOST_FILES)
  return items.filter((_, index) => index % step === 0)
}

function recordsIn(file: unknown, shape: Shape): unknown[] {
  switch (shape.kind) {
    case 'one record':
      return file === undefined ? [] : [file]
    case 'list':
      return Object.values(asObject(file))
    case 'under a key':
      return Object.values(asObject(asObject(file)[shape.key]))
    case 'objects by key': {
      const entries = Object.entries(asObject(file))
      return entries.filter(([key]) => !shape.besides.includes(key)).map(([, record]) => record)
    }
  }
}

/** Counts the records of a file that its schema refuses: all, if it refuses what is around them. */
function refusedIn(places: ReturnType<Check>, shape: Shape, records: number): number {
  if (places.length === 0) return 0

  const outside = shape.kind === 'under a key' ? [shape.key] : []
  const isWithin = (place: readonly (string | number)[]) => {
    return place.length > outside.length && outside.every((step, at) => step === place[at])
  }
  if (shape.kind === 'one record' || !places.every(isWithin)) return Math.max(1, records)

  const depth = outside.length + 1
  return new Set(places.map((place) => JSON.stringify(place.slice(0, depth)))).size
}
