import type { Format, Tree } from '../../src/formats/format.ts'

/** Returns the tree of a text that its format can read. */
export function treeOf(format: Format, text: string): Tree {
  const { tree, faults } = format.parse(text)
  if (!tree) throw new Error(`the text can't be read: ${JSON.stringify(faults)}`)
  return tree
}
