/**
 * Returns the place of a file in a folder, as messages show it.
 *
 * @param folder as the user spells it; '' and `.` are left out: `countries.json`, not `./countries.json`
 */
export function placeIn(folder: string, name: string): string {
  if (folder === '' || folder === '.') return name
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`
}
