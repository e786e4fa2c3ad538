/** What a command works on. */
import type { OpenCollections } from './load-config.ts'
import type { Options } from './options.ts'
import type { Terminal } from './terminal.ts'

export interface Work extends OpenCollections {
  /** Whether these are all collections of the configuration. */
  isWhole: boolean
  options: Options
  terminal: Terminal
}
