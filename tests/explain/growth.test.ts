/** The cost of a broken file grows with its size, not with the square of it. */
import { describe, expect, test } from 'vitest'
import { explainSchema } from '../../src/explain/schema/explain-schema.ts'
import { explainSyntax, findSyntaxEdits } from '../../src/explain/syntax/syntax.ts'
import { json } from '../../src/formats/json.ts'
import { jsonLines } from '../../src/formats/json-lines.ts'
import { compileCheck } from '../helpers/page.ts'

/** Returns the least processor time of work in microseconds: what else the machine does only adds to it. */
function costOf(work: () => void): number {
  const costs: number[] = []
  for (let round = 0; round < 3; round++) {
    const start = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(start)
    costs.push(user + system)
  }
  return Math.min(...costs)
}

const SMALL = 500
const LARGE = 16 * SMALL

/** For 16 times the size, 16 times the time is linear, and 256 times is quadratic. */
const MOST = 100

/** Costs below this are too small to be measured. */
const LEAST_MEASURED = 1_000

describe('the time grows as the file does', () => {
  test.each([
    ['a diff', json, (count: number) => `{\n${'+  "a": 1,\n'.repeat(2 * count)}}`],
    ['merge conflicts', json, (count: number) => '<<<<<<< a\n=======\n>>>>>>> b\n'.repeat(count)],
    ['lists in each other, without their ends', json, (count: number) => '['.repeat(8 * count)],
    ['objects in each other, in one line', json, (count: number) => '[{"":'.repeat(4 * count)],
    ['brackets in a text', json, (count: number) => `["${']'.repeat(4 * count)}"x"]`],
    ['spaces in a text', json, (count: number) => `["${' '.repeat(4 * count)}x"y"]`],
    ['missing commas in one line', json, (count: number) => `[${'{"a":1} '.repeat(count)}0]`],
    [
      'JSON Lines that lack commas',
      jsonLines,
      (count: number) => '{"a": 1 "b": 2}\n'.repeat(count),
    ],
  ])('of %s', (_, format, make) => {
    const explain = (text: string) => () => {
      explainSyntax(format, text)
      findSyntaxEdits(format, text)
    }
    const small = costOf(explain(make(SMALL)))
    const large = costOf(explain(make(LARGE)))
    expect(large).toBeLessThan(MOST * Math.max(small, LEAST_MEASURED))
  })
})

describe('in a union that refers to itself, the time grows with the depth', () => {
  const inner = { $ref: '#/$defs/node' }
  const branches = ['a', 'b', 'c'].map((tag) => {
    return { required: ['tag', 'inner'], properties: { tag: { const: tag }, inner } }
  })
  const leaf = {
    required: ['tag', 'text'],
    properties: { tag: { const: 'd' }, text: { const: 'x' } },
  }
  const { schema, check } = compileCheck({
    ...inner,
    $defs: { node: { oneOf: [...branches, leaf] } },
  })

  const nodeOf = (depth: number, tag: string, end: object) => {
    let node = end
    for (let level = 0; level < depth; level++) node = { [tag]: 'a', inner: node }
    return node
  }
  const [SHALLOW, DEEP] = [3, 12]

  test.each<[string, string, object]>([
    ['right', 'tag', { tag: 'd', text: 'x' }],
    ['wrong at its end', 'tag', { tag: 'd', text: 'y' }],
    ['of an unknown kind at its end', 'tag', { tag: 'e', text: 'x' }],
    ['without a kind anywhere', 'kind', { text: 'x' }],
  ])('of a value that is %s', (_, tag, end) => {
    const explain = (depth: number) => () => {
      const node = nodeOf(depth, tag, end)
      if (check(node).faults.length > 0) explainSchema(node, schema)
    }
    const shallow = costOf(explain(SHALLOW))
    const deep = costOf(explain(DEEP))
    expect(deep).toBeLessThan(MOST * Math.max(shallow, LEAST_MEASURED))
  })
})
