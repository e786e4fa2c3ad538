/** A document as a tree of values: what its aliases and merge keys mean, and what it loses as JSON. */
import type { Alias, ParsedNode, Scalar, YAMLMap } from 'yaml'
import { type Fault, fault, keyFault } from '../../fault/fault.ts'
import { setKey } from '../../text/as-object.ts'
import { numberRead } from '../../text/decimal.ts'
import { lineAt, startsOfLines } from '../../text/lines.ts'
import type { Pointer } from '../../text/pointer.ts'
import type { Range } from '../../text/range.ts'
import { damagesOf } from '../damages.ts'
import type { Doubt } from '../format.ts'
import { DEEPEST, isEmpty } from './document.ts'
import { yamlLibrary } from './library.ts'
import { oldReadingOf, oldReadingOfKey } from './old-readings.ts'
import { partOf } from './part-of.ts'

export type MapNode = YAMLMap.Parsed
export type PairNode = MapNode['items'][number]

export interface YamlTree {
  root: ParsedNode
  /** The node that each alias stands for. */
  targets: ReadonlyMap<Alias.Parsed, ParsedNode>
}

export interface Surveyed extends YamlTree {
  /** What can't be a value of JSON: the document has no value then. */
  faults: Fault[]
  /** What its value has lost: repeated keys, digits, characters. */
  losses: Fault[]
  /** What YAML 1.1 reads in another way. */
  doubts: Doubt[]
}

/** How large a value is if its aliases are written out. */
interface Measure {
  /** In characters, and one for each value. */
  size: number
  depth: number
}

/** How many characters a file with aliases may have: more than a person repeats, and soon read. */
const MOST_REPEATED = 10_000_000

/** Looks at each node of a document once, in the order of the text. */
export function survey(text: string, root: ParsedNode): Surveyed {
  const surveyor = new Surveyor(text, root)
  const { size, depth } = surveyor.measure(root, [], 'value')

  const { targets, faults, losses, doubts } = surveyor
  const [alias] = targets.keys()
  const range = alias ? rangeOf(alias) : { start: 0, end: 1 }
  if (size > MOST_REPEATED && targets.size > 0)
    faults.push({ ...fault('yaml.alias-size', []), range })
  if (depth > DEEPEST) faults.push({ ...fault('json.too-deep', [], { most: DEEPEST }), range })

  return { root, targets, faults, losses, doubts }
}

/** A key of a map, at a line, whose value is written like this. */
interface EarlierKey {
  line: number
  value: string
  kind: 'lists' | 'objects' | undefined
}

class Surveyor implements Surveyed {
  readonly root: ParsedNode
  readonly targets = new Map<Alias.Parsed, ParsedNode>()
  readonly faults: Fault[] = []
  readonly losses: Fault[] = []
  readonly doubts: Doubt[] = []

  readonly #text: string
  readonly #starts: readonly number[]
  /** The latest node of each anchor. */
  readonly #anchored = new Map<string, ParsedNode>()
  /** Of the nodes that have an anchor, and have been looked at. */
  readonly #measures = new Map<ParsedNode, Measure>()

  constructor(text: string, root: ParsedNode) {
    this.root = root
    this.#text = text
    this.#starts = startsOfLines(text)
  }

  measure(node: ParsedNode, pointer: Pointer, at: Fault['at']): Measure {
    const { isAlias, isMap, isScalar } = yamlLibrary()
    if (isAlias(node)) return this.#measureAlias(node, pointer)

    const { anchor } = node
    if (anchor !== undefined) this.#anchored.set(anchor, node)

    let measure: Measure
    if (isScalar(node)) measure = this.#measureScalar(node, pointer, at)
    else if (isMap(node)) measure = this.#measureMap(node, pointer)
    else measure = sum(node.items.map((item, index) => this.measure(item, [...pointer, index], at)))

    if (anchor !== undefined) this.#measures.set(node, measure)
    return measure
  }

  #measureAlias(alias: Alias.Parsed, pointer: Pointer): Measure {
    const name = alias.source
    const range = rangeOf(alias)
    const target = this.#anchored.get(name)
    if (!target) {
      this.faults.push({ ...fault('yaml.alias-unknown', pointer, { name }), range })
      return NOTHING
    }

    // A node that isn't measured yet has the alias in it.
    const measure = this.#measures.get(target)
    if (!measure) {
      this.faults.push({ ...fault('yaml.alias-endless', pointer, { name }), range })
      return NOTHING
    }

    this.targets.set(alias, target)
    return measure
  }

  #measureScalar(scalar: Scalar.Parsed, pointer: Pointer, at: Fault['at']): Measure {
    const { value, source } = scalar
    const range = rangeOf(scalar)

    const numberFault =
      typeof value === 'number' && at === 'value' ? findNumberFault(source, value) : undefined
    if (numberFault) {
      const faults = numberFault.code === 'yaml.number' ? this.faults : this.losses
      faults.push({ ...numberFault, pointer, range })
    }

    const isPlain = scalar.type === 'PLAIN' && scalar.tag === undefined
    if (isPlain && at === 'key') this.#checkPlainKey(source, pointer, range)
    if (isPlain && at === 'value') this.#checkPlainValue(scalar, pointer, range)

    const damages = typeof value === 'string' ? damagesOf(value) : []
    for (const { within, ...damage } of damages)
      this.losses.push({ ...damage, pointer, at, range: partOf(this.#text, scalar, within) })

    return { size: source.length + 1, depth: 0 }
  }

  #checkPlainKey(source: string, pointer: Pointer, range: Range): void {
    const kind = oldReadingOfKey(source)
    if (kind === undefined) return

    const facts = { written: source, kind }
    this.losses.push({ ...keyFault('loss.yaml-1.1', [...pointer, source], facts), range })
  }

  #checkPlainValue(scalar: Scalar.Parsed, pointer: Pointer, range: Range): void {
    const { value, source } = scalar
    const reading = oldReadingOf(source, value)
    if (reading) {
      const facts = { written: source, kind: reading.kind }
      const doubt = { ...fault('loss.yaml-1.1', pointer, facts), range }
      this.doubts.push({ fault: doubt, value, otherwise: reading.value })
    }

    const [, end] = scalar.range
    const comment = commentAt(this.#text, end)
    if (comment === undefined) return

    const { text, start } = comment
    const commentFault =
      source === ''
        ? fault('loss.no-value', pointer, { comment: text })
        : fault('loss.comment', pointer, { value: source, comment: text })
    this.losses.push({ ...commentFault, range: { start, end: start + text.length } })
  }

  #measureMap(map: MapNode, pointer: Pointer): Measure {
    /** The keys that were read. */
    const keys = new Map<string, EarlierKey>()

    const measures = map.items.flatMap((pair) => {
      const { key, value } = pair
      const keyMeasure = this.measure(key, pointer, 'key')
      const name = keyText(this, key)
      const inner = name === undefined ? pointer : [...pointer, name]
      const valueMeasure = value ? [this.measure(value, inner, 'value')] : []

      this.#checkKey(pair, name, inner, keys)
      return [keyMeasure, ...valueMeasure]
    })
    return sum(measures)
  }

  /** Checks whether a key is text, is the only one of its map, and merges what can be merged. */
  #checkKey(
    pair: PairNode,
    name: string | undefined,
    pointer: Pointer,
    keys: Map<string, EarlierKey>,
  ): void {
    const range = rangeOf(pair.key)
    if (name === undefined) {
      const written = this.#text.slice(range.start, range.end)
      this.faults.push({ ...keyFault('yaml.key', pointer, { written }), range })
      return
    }

    if (isMergeKey(pair.key) && !mergedMaps(this, pair))
      this.faults.push({ ...keyFault('yaml.merge', pointer), range })

    const { start, end } = pair.value ? rangeOf(pair.value) : { start: 0, end: 0 }
    const value = this.#text.slice(start, end)
    const line = lineAt(this.#starts, range.start) + 1
    const earlier = keys.get(name)
    const [firstKey] = keys.keys()
    const kind = kindOf(pair)
    const isMerging = isMergeKey(pair.key) && earlier !== undefined
    const all = isMerging ? `${earlier.value}, ${value}` : value

    // In a list, the keys from here on may be those of a second item: they come again, too.
    const isItem = typeof pointer.at(-2) === 'number' && !isMerging
    if (isItem && earlier) keys.clear()
    keys.set(name, { line, value: all, kind })
    if (earlier === undefined) return

    const isEqual = value === earlier.value
    if (isItem && name === firstKey && !isEqual) {
      const facts = { key: name, line: earlier.line }
      this.losses.push({ ...keyFault('loss.repeated-first-key', pointer, facts), range })
      return
    }

    const both = kind === earlier.kind ? kind : undefined
    const facts = {
      key: name,
      line: earlier.line,
      isEqual,
      ...(both && { both }),
      ...(isMerging && { merged: all }),
    }
    this.losses.push({ ...keyFault('loss.repeated-key', pointer, facts), range })
  }
}

/** Returns what the value of a pair is, if it has parts. */
function kindOf({ value }: PairNode): EarlierKey['kind'] {
  const { isMap, isSeq } = yamlLibrary()
  if (isSeq(value)) return 'lists'
  return isMap(value) ? 'objects' : undefined
}

const NOTHING: Measure = { size: 1, depth: 0 }

/** Measures what is in a list or an object. */
function sum(inner: readonly Measure[]): Measure {
  const total = { size: 1, depth: 1 }
  for (const { size, depth } of inner) {
    total.size += size
    total.depth = Math.max(total.depth, depth + 1)
  }
  return total
}

/** For example `.inf`, `-.INF` and `.nan`. */
const NOT_OF_JSON = /^[-+]?\.(?:inf|nan)$/i

/** For example `0x1F` and `0o17`. */
const OF_OTHER_BASE = /^0[ox]/

/** A number that isn't written again with its zero or minus: `02142`, `-007` and `-0`. */
const WITH_ZERO = /^[-+]?0\d|^-0+(?:\.0*)?$/

/** Returns what is wrong with a number, by the way it is written. */
function findNumberFault(source: string, value: number): Fault | undefined {
  if (NOT_OF_JSON.test(source)) return fault('yaml.number', [], { written: source })

  if (OF_OTHER_BASE.test(source)) {
    const isSame = Number.isFinite(value) && BigInt(source) === BigInt(value)
    return isSame ? undefined : fault('loss.number', [], { becomes: value })
  }

  const becomes = numberRead(source.replace('+', ''))
  if (becomes !== undefined) return fault('loss.number', [], { becomes })

  return WITH_ZERO.test(source)
    ? fault('loss.zero', [], { written: source, becomes: value })
    : undefined
}

/** A # that begins a comment and has no space after it, as in `Etude #3 in blue`. */
const TIGHT_COMMENT = /[ \t]*(#[^\s#].*)$/my

const SPACE = 0x20
const TAB = 0x09
const HASH = 0x23

/** Returns the comment that follows a value in its line, if it has no space after its #. */
function commentAt(text: string, end: number): { text: string; start: number } | undefined {
  // Most values are followed by the end of the line, and need no regular expression.
  const next = text.charCodeAt(end)
  if (next !== SPACE && next !== TAB && next !== HASH) return undefined

  TIGHT_COMMENT.lastIndex = end
  const [, comment] = TIGHT_COMMENT.exec(text) ?? []
  if (comment === undefined) return undefined

  const trimmed = comment.trimEnd()
  return { text: trimmed, start: TIGHT_COMMENT.lastIndex - comment.length }
}

/** Returns the value of a node. Each alias is a copy, so nothing is shared. */
export function plainValue(tree: YamlTree, node: ParsedNode | null): unknown {
  const { isAlias, isMap, isScalar } = yamlLibrary()
  if (node === null) return null
  if (isAlias(node)) return plainValue(tree, resolve(tree, node))
  if (isScalar(node)) return node.value
  if (!isMap(node)) return node.items.map((item) => plainValue(tree, item))

  const object: Record<string, unknown> = {}
  for (const [key, { value }] of pairsOf(tree, node)) setKey(object, key, plainValue(tree, value))
  return object
}

/**
 * Returns the pairs of a map by their keys. A pair of its own counts more than a merged one, and of
 * the maps that it merges, the first one.
 */
export function pairsOf(tree: YamlTree, map: MapNode): Map<string, PairNode> {
  const merging = map.items.filter(({ key }) => isMergeKey(key))
  const merged = merging.flatMap((pair) => mergedMaps(tree, pair) ?? [])
  // Of two pairs with one key, a Map keeps the later one.
  const pairs = new Map(merged.reverse().flatMap((inner) => [...pairsOf(tree, inner)]))

  for (const pair of map.items) {
    if (!isMergeKey(pair.key)) pairs.set(keyText(tree, pair.key) ?? '', pair)
  }
  return pairs
}

/** Whether a key is `<<` without quotes (https://yaml.org/type/merge.html). */
function isMergeKey(key: ParsedNode | null): boolean {
  const { isScalar } = yamlLibrary()
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN' && !key.tag
}

/** Returns the maps that a merge key names; undefined if it names anything else. */
function mergedMaps(tree: YamlTree, { value }: PairNode): MapNode[] | undefined {
  const { isMap, isSeq } = yamlLibrary()
  const named = resolve(tree, value)
  const sources = isSeq(named) ? named.items.map((item) => resolve(tree, item)) : [named]
  const maps = sources.filter((source) => isMap(source))
  return maps.length === sources.length ? maps : undefined
}

/** Returns a node, or what its alias stands for. */
export function resolve({ targets }: YamlTree, node: ParsedNode | null): ParsedNode | null {
  const { isAlias } = yamlLibrary()
  return isAlias(node) ? (targets.get(node) ?? null) : node
}

/**
 * Returns the text of a key. A number, true or null is one if everybody writes it so: `404` is the key
 * "404". `1.10` would be "1.1" elsewhere, so it isn't a key.
 */
function keyText(tree: YamlTree, key: ParsedNode | null): string | undefined {
  const { isScalar } = yamlLibrary()
  const scalar = resolve(tree, key)
  if (!isScalar(scalar)) return undefined

  const { value, source } = scalar
  if (typeof value === 'string') return value
  return String(value) === source ? source : undefined
}

/** Where a node is written, without its anchor and its tag. */
export function rangeOf(node: ParsedNode): Range {
  const [start, end] = node.range
  return { start, end: isEmpty(node) ? start + 1 : end }
}
