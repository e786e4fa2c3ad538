import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FAULTS, type Fault, GOOD, NO_FAULTS } from './faults.ts'
import { compileCheck, page, validate } from './page.ts'
import { createWorkspace } from './workspace.ts'

const textOf = ({ batch, of = GOOD }: Pick<Fault, 'batch' | 'of'>) => {
  if (typeof batch === 'string' || batch instanceof Uint8Array) return batch
  return batch.reduce((text, [from, to]) => {
    expect(text.split(from)).toHaveLength(2)
    return text.replace(from, () => to)
  }, of)
}

/** What is said about the rest of a text that is not JSON. */
function restOf(text: string | Uint8Array): string {
  if (text instanceof Uint8Array || /^\ufeff|^$/.test(text)) return ''
  try {
    JSON.parse(text)
    return ''
  } catch {
    return ' (nothing else in the file was checked)'
  }
}

/** Builds a batch. Returns the output of the command as JSON, and what it shows in a terminal. */
const workspace = createWorkspace(afterAll)
async function build(fault: Pick<Fault, 'batch' | 'of'>) {
  workspace.batch('batch.json', textOf(fault))
  const { status, stdout, stderr } = await workspace.build(['--json'])
  return { status, problems: JSON.parse(stdout).problems, stdout, stderr }
}

// Only a successful build caches the compiled schema. Compiling takes longer than the builds.
beforeAll(async () => {
  expect(await build({ batch: GOOD })).toMatchObject({ status: 0 })
})

describe('a mistake is one problem, at its place, in a sentence that says what to do', () => {
  test.each(FAULTS)('$fault: $at $says', async ({ at, says: sentence, ...fault }) => {
    const { status, problems, stderr } = await build(fault)
    const says = sentence + restOf(textOf(fault))
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

test.each(NO_FAULTS)('$fault is not a mistake', async (odd) => {
  expect(await build(odd)).toMatchObject({ status: 0, problems: undefined })
})

test('a path with several faults has a problem for each, but for one message with all of it', () => {
  const told = (path: string) =>
    validate('b.json', Buffer.from(JSON.stringify([page({ path })])), compileCheck(), 0)
      .problems.filter(({ pointer }) => pointer === '/0/path')
      .map(({ message }) => message)
  expect(told('/blоg/000')).toEqual([
    expect.stringMatching(/^о is a Cyrillic letter; write o/),
    expect.stringMatching(/^the number must be from 001 to 100, but is "000"/),
  ])
  expect(told('blоgs/29/')).toEqual([expect.stringMatching(/; did you mean "\/blog\/029"\?/)])
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
