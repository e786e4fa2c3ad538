/**
 * In the package, stands for prettier, by which json-schema-to-typescript formats types: the part of it
 * that reads TypeScript, without its other languages and its own search for settings.
 */
import type { Options } from 'prettier'
import * as estree from 'prettier/plugins/estree'
import * as typescript from 'prettier/plugins/typescript'
import { format as formatBy } from 'prettier/standalone'

export function format(code: string, options: Options): Promise<string> {
  return formatBy(code, { ...options, plugins: [estree, typescript] })
}
