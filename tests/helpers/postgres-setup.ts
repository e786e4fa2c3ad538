/** One Postgres for all tests that need one: started before the first, removed after the last. */
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

export default async function setUp({ provide }: TestProject) {
  // It would look after each of a hundred small databases in turn, all the time.
  const postgres = await startPostgres(['autovacuum=off'])
  provide('postgres', postgres.port)
  return () => postgres.stop()
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The port of the Postgres of all tests. */
    postgres: number
  }
}
