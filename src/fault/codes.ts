/** What kinds of codes there are, and which ones are treated in a way of their own. */
import type { AnyCode } from './facts.ts'

/** What is before the first dot of a code, such as `schema`. */
type AreaOf<C> = C extends `${infer Name}.${string}` ? Name : never
type Area = AreaOf<AnyCode>

/** When a fault shows. */
type Stage =
  /** A file as a whole is looked at. */
  | 'file'
  /** A text can't be read; `findSyntaxEdits` may know a repair. */
  | 'syntax'
  /** Anything else is wrong in a text. */
  | 'text'
  /** A schema is applied. */
  | 'schema'
  /** The owner's functions and the rules of a site are applied to one record. */
  | 'record'
  /** Several records are compared. */
  | 'records'
  /** A configuration or a schema is read, or the whole dataset is looked at. */
  | 'setup'

/** When faults of each area show. A new area needs a row. */
const STAGES: Record<Area, Stage> = {
  file: 'file',
  json: 'syntax',
  yaml: 'syntax',
  'front-matter': 'text',
  loss: 'text',
  schema: 'schema',
  content: 'record',
  page: 'record',
  record: 'record',
  rule: 'record',
  id: 'record',
  html: 'record',
  form: 'record',
  site: 'record',
  path: 'records',
  link: 'records',
  reference: 'records',
  order: 'records',
  'schema-file': 'setup',
  dataset: 'setup',
}

/** The codes that show at another stage than the rest of their area. */
const OTHER_STAGES: Partial<Record<AnyCode, Stage>> = {
  // It's the later of two records that may not have one path.
  'path.repeated': 'record',
  'reference.value': 'record',
  'schema.unique': 'records',
  'schema.near-key': 'records',
}

/** Returns when a fault of a code shows. */
export function stageOf(code: AnyCode): Stage {
  return OTHER_STAGES[code] ?? STAGES[areaOf(code)]
}

/** Returns the kind of a code: what is before its first dot. */
export function areaOf(code: AnyCode): Area {
  const area = code.slice(0, code.indexOf('.'))
  if (!isArea(area)) throw new Error(`${code} has no area that is known`)
  return area
}

function isArea(text: string): text is Area {
  return Object.hasOwn(STAGES, text)
}

/**
 * Whether a problem refuses just one record: `--skip-refused` leaves it out. Faults that need a decision
 * about several records or are in the text don't, nor do warnings.
 */
export function isRefusal<Problem extends { code: AnyCode; record: number | null }>(
  problem: Problem,
): problem is Problem & { record: number } {
  const stage = stageOf(problem.code)
  const isBeyondRecord = stage === 'syntax' || stage === 'text' || stage === 'records'
  return problem.record !== null && !isBeyondRecord
}

/** Whether a fault shows before the owner's functions see a record. */
export function isBeforeRecord(code: AnyCode): boolean {
  const stage = stageOf(code)
  return stage === 'syntax' || stage === 'text' || stage === 'schema'
}

/** A file on which we have failed ourselves: the exit status is 2. */
export const FAILED = 'file.failed'

/** A file or folder that isn't read: a warning, unless it may be a batch or the build is strict. */
export const NOT_READ = 'file.not-read'

/** An exclusion that matches no file: a warning. */
export const EXCLUDES_NOTHING = 'file.excludes-nothing'

/** A record without the key of ids, and a collection in which no record has it. */
export const WITHOUT_ID = 'id.missing'
export const NO_KEY_OF_IDS = 'id.no-key'

/** A fault in the configuration of a collection, shown there. */
export const OF_CONFIG: readonly AnyCode[] = [NO_KEY_OF_IDS, 'order.no-values', 'reference.no-path']

/** Warnings about references that weren't checked. */
export const NOT_CHECKED: readonly AnyCode[] = ['reference.unchecked', 'reference.none']

/** A text with U+FFFD: a warning, unless the build is strict. */
export const DAMAGED = 'loss.character'

/** A value or key without quotes that YAML 1.1 reads in another way: a warning, unless the build is strict. */
export const OLD_YAML = 'loss.yaml-1.1'

/** A YAML value that loses a zero, or the text after a #: a warning, unless the build is strict. */
export const CUT_BY_YAML: readonly AnyCode[] = ['loss.zero', 'loss.comment', 'loss.no-value']

/** What the message about a refused value already says. */
export const REPEATED_BY_SCHEMA: readonly AnyCode[] = ['loss.zero', 'loss.no-value']

/** The losses of a text that are only warnings, unless the build is strict. */
export const DAMAGES: readonly AnyCode[] = [DAMAGED, OLD_YAML, ...CUT_BY_YAML]

/** A key that may be misspelled: a warning, unless the build is strict. */
export const NEAR_KEY = 'schema.near-key'
