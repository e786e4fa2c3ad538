import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The configuration of nginx. */
export const CONFIG = readFileSync(join(import.meta.dirname, '../deploy/nginx.conf'), 'utf8')

/** The headers that it adds to every response, by their names. A value may be a variable. */
export const ADDED: Record<string, string> = Object.fromEntries(
  [...CONFIG.matchAll(/add_header (\S+) (?:"(.*)"|(\S+)) always;/g)].map(
    ([, name, quoted, plain]) => [name, quoted ?? plain],
  ),
)
