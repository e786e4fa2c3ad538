import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Problem } from '../src/batch/problem.ts'
import { FAULTS, type Fault, GOOD, NO_FAULTS } from './faults.ts'
import { times } from './long.ts'
import { compileCheck, page, validate } from './page.ts'
import { property } from './property.ts'
import { createWorkspace } from './workspace.ts'

const textOf = (batch: Fault['batch']) => {
  if (typeof batch === 'string' || batch instanceof Uint8Array) return batch
  return batch.reduce((text, [from, to]) => {
    expect(text.split(from)).toHaveLength(2)
    return text.replace(from, () => to)
  }, GOOD)
}

/** Builds a batch. Returns the output of the command as JSON, and what it shows in a terminal. */
const workspace = createWorkspace(afterAll)
async function build(batch: Fault['batch']) {
  workspace.batch('batch.json', textOf(batch))
  const { status, stdout, stderr } = await workspace.build(['--json'])
  return { status, problems: JSON.parse(stdout).problems, stdout, stderr }
}

// Only a successful build caches the compiled schema. Compiling takes longer than the builds.
beforeAll(async () => {
  expect(await build(GOOD)).toMatchObject({ status: 0 })
})

describe('a mistake is one problem, at its place, in a sentence that says what to do', () => {
  test.each(FAULTS)('$fault: $at $says', async ({ batch, at, says }) => {
    const { status, problems, stderr } = await build(batch)
    const told = problems.map(({ line, column, message }: Record<string, unknown>) => {
      return `${line}:${column} ${message}`
    })
    // An invisible character is shown as its escape, which JSON parses as the character itself.
    expect(told).toEqual([
      `${at} ${JSON.parse(`"${says.replace(/["\\](?!u200b|u00a0)/g, '\\$&')}"`)}`,
    ])
    expect(stderr).toContain(`batch.json:${at}`)
    expect(stderr).toContain(`\n  ${says}\n`)
    expect(status).toBe(1)
  })

  test('and there are more than a hundred', () => {
    expect(FAULTS.length).toBeGreaterThan(100)
    expect(new Set(FAULTS.map(({ fault }) => fault)).size).toBe(FAULTS.length)
  })
})

test.each(NO_FAULTS)('$fault is not a mistake', async ({ batch }) => {
  expect(await build(batch)).toMatchObject({ status: 0, problems: undefined })
})

describe('one run reports every problem', () => {
  /** The faults that are changes of the page and leave it JSON. */
  const changes = FAULTS.flatMap((fault) => {
    if (typeof fault.batch === 'string' || fault.batch instanceof Uint8Array) return []
    return isJson(textOf(fault.batch)) ? [{ ...fault, batch: fault.batch }] : []
  })
  const broken = FAULTS.filter(({ batch }) => {
    if (batch instanceof Uint8Array || typeof batch === 'string') return false
    return !changes.some((change) => change.batch === batch)
  })

  /** Makes a change in a page, unless one before it has changed the same text. */
  const apply = (page: string, batch: [string, string][]) => {
    const isIn = batch.every(([from]) => page.split(from).length === 2)
    return isIn ? batch.reduce((text, [from, to]) => text.replace(from, () => to), page) : undefined
  }

  const check = compileCheck()
  const told = (pages: string[]) => {
    const bytes = Buffer.from(`[${pages.map((page) => page.trim().slice(1, -1)).join()}]`)
    return validate('b.json', bytes, check, 0).problems
  }
  const someFaults = fc.array(fc.tuple(fc.nat(3), fc.constantFrom(...changes)), {
    minLength: 1,
    maxLength: 5,
  })

  property([someFaults, fc.option(fc.tuple(fc.nat(3), fc.constantFrom(...broken)))], {
    numRuns: times(500),
  })('whichever faults are mended, those that are left were reported before', (faults, syntax) => {
    const made: { at: number; batch: [string, string][] }[] = []
    const build = (mended?: number) => {
      const pages = [GOOD, GOOD, GOOD, GOOD]
      for (const [index, { at, batch }] of made.entries()) {
        if (index !== mended) pages[at] = apply(pages[at] as string, batch) ?? (pages[at] as string)
      }
      return pages
    }
    for (const [at, { batch }] of faults) {
      if (apply(build()[at] as string, batch) !== undefined) made.push({ at, batch })
    }
    if (syntax) {
      const [at, { batch }] = syntax
      const text = apply(build()[at] as string, batch as [string, string][])
      if (text !== undefined) {
        // Within a form that is a string, it breaks nothing.
        const isBroken = !isJson(text)
        const all = told(build().map((page, index) => (index === at ? text : page)))
        if (isBroken) expect(all).toHaveLength(1)
      }
    }
    const all = told(build())
    // The last key, as it is meant: a mend of a shape moves what is in it.
    const placeOf = ({ record, pointer }: Problem) => {
      const [key = ''] = /[^/]*$/.exec(pointer.toLowerCase()) ?? []
      return `${record} ${key.replace(/^t.{2,4}l$|^t.{1,3}tle$/, 'title')}`
    }
    const places = all.map(placeOf)
    const exempt = new Set(
      all.flatMap(({ record, message }) => {
        return [...message.matchAll(/(?<=\()(\w+) (?:was|were) not compared/g)].map(
          ([, key]) => `${record} ${key}`,
        )
      }),
    )
    for (const mended of made.keys()) {
      for (const problem of told(build(mended))) {
        if (exempt.has(`${problem.record} ${problem.pointer.split('/')[2]}`)) continue
        expect(places, JSON.stringify(made)).toContain(placeOf(problem))
      }
    }
    expect(told(build().map(() => GOOD))).toEqual([])
  })
})

test('a body with several faults has a problem for each', async () => {
  const contentHtml = '<p>Q & A</p>\n<p class="x">One<br>two</p>'
  const told = validate(
    'b.json',
    Buffer.from(JSON.stringify([page({ contentHtml })])),
    compileCheck(),
    0,
  )
  expect(told.problems.map(({ message }) => message)).toEqual([
    'write & as &amp;',
    'a space or line break is not allowed here; remove it',
    'a paragraph has no attributes; write <p>',
    'the element <br> is not allowed; begin a new paragraph with </p><p>',
  ])
})

function isJson(text: string | Uint8Array): boolean {
  try {
    JSON.parse(String(text))
    return true
  } catch {
    return false
  }
}
