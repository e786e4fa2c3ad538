/** A reporter that names unit tests which run for long, and their files. */
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { RunningTests } from './running-tests.ts'

const tests = new RunningTests()

export const running: Reporter = {
  onTestModuleQueued: beginModule,
  onTestModuleEnd: (module) => tests.end(module.id),

  onTestCaseReady(test: TestCase) {
    tests.begin(test.id, `${test.module.relativeModuleId} › ${test.fullName}`)
  },

  onTestCaseResult(test: TestCase) {
    tests.end(test.id)
    // A file may run for long if its tests end.
    beginModule(test.module)
  },
}

/** Of a file, too: it may hang before its first test, or in what is done around its tests. */
function beginModule(module: TestModule): void {
  tests.begin(module.id, module.relativeModuleId)
}
