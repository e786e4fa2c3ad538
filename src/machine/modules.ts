/** Loads modules by their paths. */

/**
 * Errors of modules that can be imported, but not required: of Node, and of jiti's compiled code, in which
 * `await (0, fs.readFile)('a')` calls a function of that name.
 */
const ONLY_IMPORTED =
  /^ERR_(?:PACKAGE_PATH_NOT_EXPORTED|REQUIRE_ASYNC_MODULE)$|^await is (?:only valid in |not defined$)/

/**
 * @param require of tsx or jiti, which also compiles ES modules and TypeScript
 * @param importModule loads a module that can't be required
 */
export async function loadModule(
  file: string,
  require: (file: string) => unknown,
  importModule: (file: string) => Promise<unknown>,
): Promise<unknown> {
  try {
    return require(file)
  } catch (error) {
    const { code, message } = Object(error)
    const isOnlyImported = ONLY_IMPORTED.test(String(code)) || ONLY_IMPORTED.test(message)
    if (!isOnlyImported) throw error
  }

  return importModule(file)
}
