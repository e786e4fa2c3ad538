import path from 'node:path'

/**
 * Returns the place of a file as people see it: relative to the folder they're in, as a terminal and an
 * editor open it. Where the folder or the name is absolute, the place is absolute.
 *
 * @param folder as the user spells it
 * @param name of a file from there; '' is the folder itself
 */
export function placeIn(folder: string, name: string): string {
  const file = path.resolve(folder, name)
  const isAbsolute = path.isAbsolute(folder) || path.isAbsolute(name)
  const place = isAbsolute ? file : path.relative('', file)
  const spelled = place.split(path.sep).join('/')

  // The names of folders end so.
  if (name.endsWith('/')) return `${spelled}/`
  return spelled === '' ? '.' : spelled
}
