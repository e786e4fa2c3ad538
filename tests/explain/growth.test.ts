/** What a broken file costs grows as its size does, not as the square of its size. */
import { describe, expect, test } from 'vitest'
import { explainSyntax, findSyntaxEdits } from '../../src/explain/syntax/syntax.ts'
import { json } from '../../src/formats/json.ts'
import { jsonLines } from '../../src/formats/json-lines.ts'

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

/** Of 16 times the size, 16 times the time is linear, and 256 times is quadratic. */
const MOST = 100

/** So that a cost which is too small to be measured doesn't count. */
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
