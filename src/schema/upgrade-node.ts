/**
 * Upgrades the keywords of one schema to 2020-12. The schemas in it, and those that it refers to, it leaves
 * to `upgrade.ts`. Pure.
 */

import { asObject, isObject, setKey } from '../text/as-object.ts'
import type { Pointer } from '../text/pointer.ts'
import { type DraftOrUnknown, ignoresBesideRef, isAnnotation, isKeyword } from './drafts.ts'
import { readPattern } from './patterns.ts'
import { LISTS, MAPS, type Node, ONES } from './schemas-in.ts'

/** What `upgrade.ts` does for a schema. */
export interface Surroundings {
  draft: DraftOrUnknown
  /**
   * Upgrades a schema within the schema.
   *
   * @param steps to it
   * @param newSteps to where it's put
   */
  upgradeInner(steps: Pointer, newSteps: Pointer): unknown
  /** Gives `holder` a `$ref` to what a reference leads to, once that has its place. */
  refer(holder: Node, keyword: ReferenceKeyword, reference: string): void
}

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const

export type ReferenceKeyword = (typeof REFERENCES)[number]

/** They say what a schema is called, which no longer matters once all references are resolved. */
const NAMES: ReadonlySet<string> = new Set([
  ...['$id', 'id', '$schema', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$vocabulary'],
])

/** What may stand beside a `$ref` of the older drafts: it demands nothing. */
const BESIDE_REF: ReadonlySet<string> = new Set([...NAMES, '$ref', '$defs', 'definitions'])

/** Whether a draft ignores a keyword because of the `$ref` beside it. */
export function isIgnoredBesideRef(keyword: string, node: Node, draft: DraftOrUnknown): boolean {
  const standsAlone = ignoresBesideRef(draft) && typeof node.$ref === 'string'
  return standsAlone && !BESIDE_REF.has(keyword) && !isAnnotation(keyword)
}

export function upgradeNode(node: Node, surroundings: Surroundings): Node {
  return new NodeUpgrade(node, surroundings).run()
}

class NodeUpgrade {
  readonly #node: Node
  readonly #surroundings: Surroundings
  readonly #upgraded: Node = {}

  constructor(node: Node, surroundings: Surroundings) {
    this.#node = node
    this.#surroundings = surroundings
  }

  run(): Node {
    const { draft } = this.#surroundings

    for (const [keyword, value] of Object.entries(this.#node)) {
      const isRead = isKeyword(keyword, draft) && !isIgnoredBesideRef(keyword, this.#node, draft)
      if (isRead && !NAMES.has(keyword)) this.#upgradeKeyword(keyword, value)
    }
    this.#addReferences()

    if (draft === '04') {
      settleExclusive(this.#upgraded, 'minimum', 'exclusiveMinimum')
      settleExclusive(this.#upgraded, 'maximum', 'exclusiveMaximum')
    }
    return this.#upgraded
  }

  #upgradeKeyword(keyword: string, value: unknown): void {
    switch (keyword) {
      case '$ref':
        // Here it keeps its place among the keywords; `addReferences` sets its value.
        this.#upgraded.$ref = ''
        return
      case '$dynamicRef':
      case '$recursiveRef':
        return
      case '$defs':
      case 'definitions':
        this.#upgradeMap(keyword, '$defs', Object.keys(asObject(value)))
        return
      case 'items':
        this.#upgradeItems(value)
        return
      case 'additionalItems':
        if (Array.isArray(this.#node.items)) this.#upgradeOne(keyword, 'items')
        return
      case 'dependencies':
        this.#upgradeDependencies(asObject(value))
        return
      case 'properties':
        this.#upgradeProperties(Object.keys(asObject(value)))
        return
      case 'pattern':
        this.#upgraded.pattern = typeof value === 'string' ? readPattern(value).source : value
        return
      case 'nullable':
        // Without a type beside it, ajv refuses it, and it changes nothing.
        if (this.#node.type !== undefined) this.#upgraded.nullable = value
        return
      default:
        this.#upgradePlain(keyword, value)
    }
  }

  /** Upgrades a keyword that all drafts that have it understand alike. */
  #upgradePlain(keyword: string, value: unknown): void {
    if (Array.isArray(value) && LISTS.includes(keyword)) {
      this.#upgradeList(keyword, keyword, value)
    } else if (isObject(value) && MAPS.includes(keyword)) {
      this.#upgradeMap(keyword, keyword, Object.keys(value))
    } else if (ONES.includes(keyword)) {
      this.#upgradeOne(keyword, keyword)
    } else {
      // Of `dependencies` beside it, there may be something already.
      const before = this.#upgraded[keyword]
      this.#upgraded[keyword] = isObject(before) ? { ...before, ...asObject(value) } : value
    }
  }

  #upgradeOne(keyword: string, newKeyword: string): void {
    this.#upgraded[newKeyword] = this.#surroundings.upgradeInner([keyword], [newKeyword])
  }

  #upgradeList(keyword: string, newKeyword: string, list: readonly unknown[]): void {
    this.#upgraded[newKeyword] = list.map((_, index) => {
      return this.#surroundings.upgradeInner([keyword, index], [newKeyword, index])
    })
  }

  #upgradeMap(keyword: string, newKeyword: string, keys: readonly string[]): void {
    // What two keywords hold may become one, such as that of `definitions` and `$defs`.
    const schemas: Node = { ...asObject(this.#upgraded[newKeyword]) }
    this.#upgraded[newKeyword] = schemas

    for (const key of keys) {
      const newKey = newKeyOf(key, newKeyword, schemas)
      const inner = this.#surroundings.upgradeInner([keyword, key], [newKeyword, newKey])
      setKey(schemas, newKey, inner)
    }
  }

  /** A pattern takes the place of the name `__proto__`, which ajv ignores in `properties`. */
  #upgradeProperties(keys: readonly string[]): void {
    const plainKeys = keys.filter((key) => key !== '__proto__')
    this.#upgradeMap('properties', 'properties', plainKeys)
    if (plainKeys.length === keys.length) return

    const patterns: Node = { ...asObject(this.#upgraded.patternProperties) }
    this.#upgraded.patternProperties = patterns
    const pattern = freePattern('^__proto__$', patterns)
    patterns[pattern] = this.#surroundings.upgradeInner(
      ['properties', '__proto__'],
      ['patternProperties', pattern],
    )
  }

  /** Until 2019-09, `items` could be a list, and `additionalItems` was about the others. */
  #upgradeItems(items: unknown): void {
    const isList = Array.isArray(items) && this.#surroundings.draft !== '2020-12'
    if (isList) this.#upgradeList('items', 'prefixItems', items)
    else this.#upgradeOne('items', 'items')
  }

  /** Until 2019-09, one keyword held what are two now: lists of keys, and schemas. */
  #upgradeDependencies(dependencies: Node): void {
    const lists = Object.entries(dependencies).filter(([, needed]) => Array.isArray(needed))
    const keysOfSchemas = Object.keys(dependencies).filter(
      (key) => !Array.isArray(dependencies[key]),
    )

    if (lists.length > 0) this.#upgradePlain('dependentRequired', Object.fromEntries(lists))
    if (keysOfSchemas.length > 0)
      this.#upgradeMap('dependencies', 'dependentSchemas', keysOfSchemas)
  }

  /** A schema may have several references: the first becomes its `$ref`, the others a part of `allOf`. */
  #addReferences(): void {
    const { draft } = this.#surroundings
    const keywords = REFERENCES.filter((keyword) => {
      return typeof this.#node[keyword] === 'string' && isKeyword(keyword, draft)
    })

    for (const [index, keyword] of keywords.entries()) {
      let holder = this.#upgraded
      if (index > 0) {
        holder = {}
        this.#upgraded.allOf = [this.#upgraded.allOf ?? [], holder].flat()
      }

      holder.$ref = ''
      this.#surroundings.refer(holder, keyword, String(this.#node[keyword]))
    }
  }
}

/** In draft-04, `exclusiveMinimum` said of `minimum` whether it's exclusive. */
function settleExclusive(node: Node, limit: string, exclusive: string): void {
  const isExclusive = node[exclusive]
  if (typeof isExclusive !== 'boolean') return

  delete node[exclusive]
  if (!isExclusive || node[limit] === undefined) return
  node[exclusive] = node[limit]
  delete node[limit]
}

function newKeyOf(key: string, keyword: string, taken: Node): string {
  if (keyword === '$defs') return freeName(key, taken)
  return keyword === 'patternProperties' ? freePattern(readPattern(key).source, taken) : key
}

/**
 * Returns a pattern that an object doesn't have as a key: the pattern itself, or in a group. `__proto__` is
 * ignored by ajv as a key, also of a pattern.
 */
function freePattern(pattern: string, taken: Node): string {
  let free = pattern
  while (free === '__proto__' || Object.hasOwn(taken, free)) free = `(?:${free})`
  return free
}

/** Returns a key that an object doesn't have: the name itself, or with a number. */
export function freeName(name: string, taken: Node): string {
  let free = name
  for (let count = 2; Object.hasOwn(taken, free); count++) free = `${name}${count}`
  return free
}
