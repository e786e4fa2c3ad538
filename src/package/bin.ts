#!/usr/bin/env node
/** The command `manyurls`. It says so if a package is missing that the commands need. */
import { missingPackage } from '../machine/errors.ts'
import { HOW_TO_INSTALL } from './installation.ts'

try {
  const { manyurls } = await import('./manyurls.ts')
  await manyurls(process.argv.slice(2))
} catch (error) {
  const missing = missingPackage(error)
  if (missing === undefined) throw error
  process.stderr.write(`manyurls: the package ${missing} is missing; ${HOW_TO_INSTALL}\n`)
  process.exitCode = 2
}
