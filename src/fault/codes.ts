/** The codes of faults that a build treats in a way of their own. */

/** A file on which we have failed ourselves: the exit status is 2. */
export const FAILED = 'file.failed'

/** A file or folder that isn't read: a warning, unless it may be a batch or the build is strict. */
export const NOT_READ = 'file.not-read'

/** An exclusion that matches no file: a warning. */
export const EXCLUDES_NOTHING = 'file.excludes-nothing'

/** References that can't be checked: a warning. */
const UNCHECKED = 'reference.unchecked'

/** A function or a path of references that names no record at all: a warning. */
const NO_REFERENCES = 'reference.none'

/** A record without the key of ids, and a collection in which no record has it. */
export const WITHOUT_ID = 'id.missing'
export const NO_KEY_OF_IDS = 'id.no-key'

/** What is wrong in what a configuration says of a collection, and is shown there. */
export const OF_CONFIG: readonly string[] = [NO_KEY_OF_IDS, 'order.no-values', 'reference.no-path']

/** What a build says of references that it didn't check. */
export const NOT_CHECKED: readonly string[] = [UNCHECKED, NO_REFERENCES]

/** A text with U+FFFD: a warning, unless the build is strict. */
export const DAMAGED = 'loss.character'

/** A text without quotes that YAML 1.1 reads in another way: a warning, unless the build is strict. */
export const OLD_YAML = 'loss.yaml-1.1'

/** A key that may be misspelled: a warning, unless the build is strict. */
export const NEAR_KEY = 'schema.near-key'

/**
 * Faults that need a decision about several records, or are in the text, such as `path.conflict` and
 * `json.comma-missing`; and warnings.
 */
const NOT_OF_ONE_RECORD =
  /^(?:json|yaml|front-matter|loss|path|link|reference|order)\.(?!(?:repeated|value)$)|^schema\.(?:unique|near-key)$/

/**
 * Whether a problem refuses just one record: `--skip-refused` leaves it out. Of two records that may
 * not have one path, it's the later one.
 */
export function isRefusal<Problem extends { code: string; record: number | null }>(
  problem: Problem,
): problem is Problem & { record: number } {
  return problem.record !== null && !NOT_OF_ONE_RECORD.test(problem.code)
}
