/** Loads modules by their paths, and knows which files it has loaded. */
import { pathToFileURL } from 'node:url'
import { types } from 'node:util'

/** Errors of packages that can be imported, but not required. */
const ONLY_IMPORTED = /^ERR_(?:PACKAGE_PATH_NOT_EXPORTED|REQUIRE_ASYNC_MODULE)$/

/** @param require of a module that runs with tsx, which also compiles ES modules and TypeScript for it */
export function moduleLoader(require: NodeJS.Require) {
  const filesBefore = new Set(Object.keys(require.cache))
  let hasImported = false

  return {
    async load(file: string): Promise<unknown> {
      try {
        return require(file)
      } catch (error) {
        const { code } = Object(error)
        if (!ONLY_IMPORTED.test(String(code))) throw error
      }

      hasImported = true
      const { register } = await import('tsx/esm/api')
      register()
      return import(pathToFileURL(file).href)
    },

    /**
     * The files of all modules that were loaded since this loader exists. Undefined if an ES module
     * is among them that tsx did not compile: Node does not list what such a module imports.
     */
    loadedFiles(): string[] | undefined {
      if (hasImported) return undefined

      const loaded = Object.entries(require.cache).filter(([file]) => !filesBefore.has(file))
      if (loaded.some(([, module]) => types.isModuleNamespaceObject(module?.exports)))
        return undefined
      return loaded.map(([file]) => file)
    },
  }
}
