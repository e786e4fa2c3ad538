/** YAML 1.2 in its core schema, one document a file: how a text becomes a value, and where it stands. */
import type { ParsedNode } from 'yaml'
import type { Range } from '../text/range.ts'
import { divideLosses } from './damages.ts'
import { findNul } from './decode.ts'
import {
  EMPTY,
  type Format,
  type Parsed,
  type Target,
  type Tree,
  UNREADABLE,
  unreadable,
} from './format.ts'
import { compose, isEmpty } from './yaml/document.ts'
import { yamlLibrary } from './yaml/library.ts'
import { partOf } from './yaml/part-of.ts'
import { pairsOf, plainValue, rangeOf, resolve, survey, type YamlTree } from './yaml/tree.ts'
import { type Spot, writeScalar } from './yaml/write.ts'

export const yaml: Format = {
  name: 'YAML',
  language: 'YAML',
  extensions: ['.yaml', '.yml'],
  allowsByteOrderMark: true,
  guessesTypes: true,
  parse,
}

function parse(text: string): Parsed {
  const nul = findNul(text)
  if (nul) return unreadable(nul)

  const { root, errors, faults } = compose(text)
  if (errors.length > 0) return UNREADABLE
  if (faults.length > 0) return unreadable(...faults)
  if (root === null) return EMPTY

  const surveyed = survey(text, root)
  if (surveyed.faults.length > 0) return unreadable(...surveyed.faults)

  const { losses, doubts } = surveyed
  const value = plainValue(surveyed, root)
  return { value, tree: treeOf(text, surveyed), ...divideLosses(losses), doubts }
}

/** Returns how to find and write what is in a text that was read. */
function treeOf(text: string, tree: YamlTree): Tree {
  const { isScalar } = yamlLibrary()
  const find = createFinder(tree)

  return {
    locate(targets) {
      return targets.map((target) => {
        const { node } = find(target)
        if (target.within && isScalar(node)) return partOf(text, node, target.within)
        return placeOf(node)
      })
    },

    write(replacements) {
      return replacements.map((replacement) => {
        return writeScalar(text, find(replacement), replacement.instead)
      })
    },
  }
}

/** Finds targets in a tree: those of one map by a list that is made once. */
function createFinder(tree: YamlTree) {
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
