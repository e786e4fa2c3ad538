/** The parts of names of files, which have `/` as the separator. Pure. */

export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** Returns the folder of a file, with a slash at its end; empty for the root. */
export function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1)
}

/** Returns the folder that a folder is in. */
export function outerOf(folder: string): string {
  return folderOf(folder.slice(0, -1))
}

/** Returns the last part of a folder that has a slash at its end. */
export function nameOfFolder(folder: string): string {
  return baseName(folder.slice(0, -1))
}

/** Returns the same for folders of one name in folders beside each other: `charts/*` + `/ci`. */
export function placeOfFolder(folder: string): string {
  return `${outerOf(outerOf(folder))}*/${nameOfFolder(folder)}`
}

/** Returns the folders that a folder is in, and itself, the closest first. The root isn't one. */
export function foldersFrom(folder: string): string[] {
  const folders: string[] = []
  for (let outer = folder; outer !== ''; outer = outerOf(outer)) folders.push(outer)
  return folders
}

/** Returns in how many folders a file is, or is right in a folder. */
export function depthOf(name: string): number {
  return foldersFrom(folderOf(name)).length
}

/** Returns the folder of the root that a folder is in; empty for the root. */
export function areaOf(folder: string): string {
  return folder.slice(0, folder.indexOf('/') + 1)
}

/** Returns the name of a file without its folder and its ending. */
export function stemOf(name: string): string {
  return baseName(name).replace(/\.\w+$/, '')
}

/** Returns the ending of a name, from its last dot. */
export function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.'))
}

/** Returns the innermost folder that all files are in, with a slash at its end; empty for the root. */
export function commonFolder(names: readonly string[]): string {
  const [first = ''] = names
  const folders = [...foldersFrom(folderOf(first)), '']
  return folders.find((folder) => names.every((name) => name.startsWith(folder))) ?? ''
}
