/** YAML 1.2 in its core schema, one document a file: how a text becomes a value, and where it stands. */
import type { ParsedNode } from 'yaml'
import { type Edit, fault, type Range } from '../page/fault.ts'
import { divideLosses } from './damages.ts'
import {
  type Format,
  type Parsed,
  type Replacement,
  type Target,
  UNREADABLE,
  unreadable,
} from './format.ts'
import { compose, isEmpty } from './yaml/document.ts'
import { yamlLibrary } from './yaml/library.ts'
import { partOf } from './yaml/scalar.ts'
import { pairsOf, plainValue, rangeOf, resolve, survey, type Tree } from './yaml/tree.ts'

export const yaml: Format = {
  name: 'YAML',
  extensions: ['.yaml', '.yml'],
  allowsByteOrderMark: true,
  parse,
  locate,
  write,
}

function parse(text: string): Parsed {
  const { root, errors, faults } = compose(text)
  if (errors.length > 0) return UNREADABLE
  if (faults.length > 0) return unreadable(...faults)
  if (root === null) return unreadable(fault('file.empty', []))

  const tree = survey(text, root)
  if (tree.faults.length > 0) return unreadable(...tree.faults)
  return { value: plainValue(tree, root), ...divideLosses(tree.losses) }
}

/** Returns the tree of a text that `parse` could read. */
function treeOf(text: string): Tree {
  const { root } = compose(text)
  return survey(text, root as ParsedNode)
}

function locate(text: string, targets: readonly Target[]): Range[] {
  const { isScalar } = yamlLibrary()
  const find = createFinder(treeOf(text))

  return targets.map((target) => {
    const { node } = find(target)
    if (target.within && isScalar(node)) return partOf(text, node, target.within)
    return placeOf(node)
  })
}

interface Found {
  node: ParsedNode
}

/** Finds targets in a tree: those of one map by a list that is made once. */
function createFinder(tree: Tree) {
  const { isMap, isSeq } = yamlLibrary()
  const pairs = new Map<ParsedNode, ReturnType<typeof pairsOf>>()

  /** Returns the value at a step, and its key. */
  const stepInto = (outer: ParsedNode, step: string | number) => {
    const node = resolve(tree, outer)
    if (isSeq(node)) return { key: undefined, value: node.items[Number(step)] }
    if (!isMap(node)) return undefined

    const pairsOfMap = pairs.get(node) ?? pairsOf(tree, node)
    pairs.set(node, pairsOfMap)
    return pairsOfMap.get(String(step))
  }

  return ({ pointer, at }: Target): Found => {
    let node = tree.root
    let key: ParsedNode | undefined
    for (const step of pointer) {
      const next = stepInto(node, step)
      const place = next && (isEmpty(next.value ?? null) ? (next.key ?? next.value) : next.value)
      if (!place) return { node }
      key = next?.key
      node = place
    }
    return { node: at === 'key' && key ? key : node }
  }
}

/** Returns the range of a scalar or an alias, and of an object or a list its first character. */
function placeOf(node: ParsedNode): Range {
  const { isCollection } = yamlLibrary()
  const { start, end } = rangeOf(node)
  return { start, end: isCollection(node) ? start + 1 : end }
}

function write(_text: string, replacements: readonly Replacement[]): (Edit | undefined)[] {
  return replacements.map(() => undefined)
}
