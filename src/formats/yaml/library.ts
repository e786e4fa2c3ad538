/** The package `yaml`, loaded only when there is a YAML file: the start of every other run is faster. */
import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'

const require = createRequire(import.meta.url)

let library: typeof Yaml | undefined

export function yamlLibrary(): typeof Yaml {
  library ??= require('yaml') as typeof Yaml
  return library
}
