/** Loads modules by tsx, as the commands of this repository do. */
import { pathToFileURL } from 'node:url'
import { loadModule } from './modules.ts'

/** @param require of a module that runs with tsx, which also compiles ES modules and TypeScript for it */
export function tsxLoader(require: NodeJS.Require): (file: string) => Promise<unknown> {
  return (file) => loadModule(file, require, importByTsx)
}

async function importByTsx(file: string): Promise<unknown> {
  const { register } = await import('tsx/esm/api')
  register()
  return import(pathToFileURL(file).href)
}
