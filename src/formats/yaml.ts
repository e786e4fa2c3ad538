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
import { type Spot, writeScalar } from './yaml/write.ts'

export const yaml: Format = {
  name: 'YAML',
  extensions: ['.yaml', '.yml'],
  allowsByteOrderMark: true,
  guessesTypes: true,
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
  const { losses, doubts } = tree
  return { value: plainValue(tree, root), ...divideLosses(losses), doubts }
}

let latest: { text: string; tree: Tree } | undefined

/**
 * Returns the tree of a text that `parse` could read. The latest one is kept: what is wrong with a file
 * is looked up in it several times.
 */
function treeOf(text: string): Tree {
  if (latest?.text === text) return latest.tree

  const { root } = compose(text)
  const tree = survey(text, root as ParsedNode)
  latest = { text, tree }
  return tree
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

/** Finds targets in a tree: those of one map by a list that is made once. */
function createFinder(tree: Tree) {
  const { isCollection, isMap, isSeq } = yamlLibrary()
  const pairs = new Map<ParsedNode, ReturnType<typeof pairsOf>>()

  /** Returns the value at a step, and its key. */
  const stepInto = (outer: ParsedNode | null, step: string | number) => {
    if (isSeq(outer)) return { key: undefined, value: outer.items[Number(step)] }
    if (!isMap(outer)) return undefined

    const pairsOfMap = pairs.get(outer) ?? pairsOf(tree, outer)
    pairs.set(outer, pairsOfMap)
    return pairsOfMap.get(String(step))
  }

  return ({ pointer, at }: Target): Spot => {
    const spot: Spot = { node: tree.root, isInFlow: false, isShared: false }
    let key: ParsedNode | undefined

    for (const step of pointer) {
      const outer = resolve(tree, spot.node)
      const next = stepInto(outer, step)
      const inner = next && writtenNode(next)
      if (!outer || !inner) return spot

      spot.isShared ||= outer !== spot.node || hasAnchor(outer) || !isInside(inner, outer)
      spot.isInFlow = isCollection(outer) && outer.flow === true
      spot.node = inner
      key = next?.key
    }
    return at === 'key' && key ? { ...spot, node: key } : spot
  }
}

/** Returns the node of a value; where nothing is written, that of its key. */
function writtenNode({
  key,
  value,
}: {
  key?: ParsedNode | null | undefined
  value?: ParsedNode | null | undefined
}) {
  return isEmpty(value ?? null) ? (key ?? value) : value
}

function hasAnchor(node: ParsedNode): boolean {
  return 'anchor' in node && node.anchor !== undefined
}

/** Whether a value is written in an object, rather than merged into it. */
function isInside(inner: ParsedNode, outer: ParsedNode): boolean {
  return inner.range[0] >= outer.range[0] && inner.range[1] <= outer.range[2]
}

/** Returns the range of a scalar or an alias, and of an object or a list its first character. */
function placeOf(node: ParsedNode): Range {
  const { isCollection } = yamlLibrary()
  const { start, end } = rangeOf(node)
  return { start, end: isCollection(node) ? start + 1 : end }
}

function write(text: string, replacements: readonly Replacement[]): (Edit | undefined)[] {
  const find = createFinder(treeOf(text))
  return replacements.map((replacement) => {
    return writeScalar(text, find(replacement), replacement.instead)
  })
}
