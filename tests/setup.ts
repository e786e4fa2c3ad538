/** Runs before each file of tests. */
import fc from 'fast-check'
import { times } from './long.ts'

// For each property that does not say how often it is tried.
fc.configureGlobal({ numRuns: times(50) })
