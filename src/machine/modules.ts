/** Loads modules by their paths, and knows which files it has loaded. */
import { types } from 'node:util'

/**
 * Errors of modules that can be imported, but not required: of Node, and of jiti's compiled code, in which
 * `await (0, fs.readFile)('a')` calls a function of that name.
 */
const ONLY_IMPORTED =
  /^ERR_(?:PACKAGE_PATH_NOT_EXPORTED|REQUIRE_ASYNC_MODULE)$|^await is (?:only valid in |not defined$)/

/** For example `/me/pages/node_modules/parse5/dist/index.js`. */
const INSTALLED = /[/\\]node_modules[/\\]/

/** What `moduleLoader` needs of a `require` that also compiles ES modules and TypeScript. */
export interface CompilingRequire {
  (file: string): unknown
  cache: NodeJS.Dict<{ exports?: unknown }>
}

/**
 * @param require of tsx or jiti
 * @param importModule loads a module that can't be required
 */
export function moduleLoader(
  require: CompilingRequire,
  importModule: (file: string) => Promise<unknown>,
) {
  const filesBefore = new Set(Object.keys(require.cache))
  let hasImported = false

  return {
    async load(file: string): Promise<unknown> {
      try {
        return require(file)
      } catch (error) {
        const { code, message } = Object(error)
        const isOnlyImported = ONLY_IMPORTED.test(String(code)) || ONLY_IMPORTED.test(message)
        if (!isOnlyImported) throw error
      }

      hasImported = true
      return importModule(file)
    },

    /**
     * The files of all modules that were loaded since this loader exists. Undefined if an ES module
     * is among them that was not compiled: Node does not list what such a module imports. An installed
     * package imports only others, for which the list of installed packages stands.
     */
    loadedFiles(): string[] | undefined {
      if (hasImported) return undefined

      const loaded = Object.entries(require.cache).filter(([file]) => !filesBefore.has(file))
      const hasUnlisted = loaded.some(([file, module]) => {
        return types.isModuleNamespaceObject(module?.exports) && !INSTALLED.test(file)
      })
      return hasUnlisted ? undefined : loaded.map(([file]) => file)
    },
  }
}
