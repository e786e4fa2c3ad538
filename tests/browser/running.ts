/** A reporter that names browser tests which run for long. */
import { relative } from 'node:path'
import type { Reporter, TestCase } from '@playwright/test/reporter'
import { RunningTests } from '../helpers/running-tests.ts'

export default class Running implements Reporter {
  readonly #tests = new RunningTests()

  onTestBegin(test: TestCase): void {
    const [, , , ...titles] = test.titlePath()
    const place = `${relative('', test.location.file)}:${test.location.line}`
    this.#tests.begin(test.id, [place, ...titles].join(' › '))
  }

  onTestEnd(test: TestCase): void {
    this.#tests.end(test.id)
  }
}
