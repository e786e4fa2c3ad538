/** The version of the package, and how it is installed. */
import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '../machine/root.ts'

const file = path.join(ROOT, 'package.json')
export const VERSION: string = JSON.parse(fs.readFileSync(file, 'utf8')).version

/** What comes after "the package ajv is missing; ". */
export const HOW_TO_INSTALL = `install manyurls again: npm i -D ./manyurls-${VERSION}.tgz`
