import { describe } from 'vitest'
import { createBuild, testEach } from '../helpers/fault-table.ts'
import { SAMPLE_FAULTS } from './faults.ts'

describe("a mistake that the sample's rules report is one problem, with what to do", () => {
  testEach(SAMPLE_FAULTS, createBuild())
})
