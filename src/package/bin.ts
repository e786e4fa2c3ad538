#!/usr/bin/env node
/** The command `manyurls`. */
import { manyurls } from './manyurls.ts'

await manyurls(process.argv.slice(2), process.env)
