/** The nightly check of what the main job costs, as the workflow starts it, with less data. */
import { expect, test } from 'vitest'
import { isLong } from '../helpers/long.ts'
import { commandsOf, createCheckout } from '../helpers/workflow.ts'

const command = commandsOf('npm run bench -- releases')[0]?.command ?? ''
const { git, start } = createCheckout()

/** Starts it for one round, with another limit. */
function startWith(most: string) {
  const shorter = command
    .replace(/--rounds \d+/, '--rounds 1')
    .replace(/--most \S+/, `--most ${most}`)
  return start(`${shorter} --small`)
}

test('without a tag of a release, it fails', () => {
  const { status, stderr } = start(command)
  expect(status).toBe(2)
  expect(stderr).toMatch(/^bench: there's no tag of a release to compare with; .+\n$/)
})

test('beyond its limit, it fails', () => {
  git('tag', 'v0.0.1')
  const { status, stderr } = startWith('0.01')
  expect(status).toBe(1)
  expect(stderr).toMatch(/^bench: .+ \(median of 1 pairs\)\. At most 0\.01 times is allowed\.\n$/)
})

test.runIf(isLong)('within its limit, it succeeds', () => {
  expect(startWith('100')).toMatchObject({ status: 0, stderr: '' })
})
