/** Which files belong together, because they name a schema, or because names are related. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { type Group, likeOthers } from './alike.ts'
import { folderOf } from './patterns.ts'
import { relatedSchemas, type SchemaFile, schemaNamedBy, subjectOf } from './schema-names.ts'
import type { SurveyedFile } from './shapes.ts'

/** Groups the files that name a schema in `$schema`. A group has several if they're mixed. */
export function groupNaming(
  files: readonly SurveyedFile[],
  schemas: readonly SchemaFile[],
): Group[] {
  const filesOf = groupBy(files, (file) => schemaNamedBy(file, schemas))
  const groups = [...filesOf].flatMap(([schema, group]): Group[] => {
    return schema ? [{ files: group, schemas: [schema] }] : []
  })

  let others = filesOf.get(undefined) ?? []
  return uniteMixed(groups).map((group) => {
    const forgetful = isPair(group) ? [] : likeOthers(filesBeside(others, group), group.files)

    others = others.filter((file) => !forgetful.includes(file))
    return { ...group, files: [...group.files, ...forgetful] }
  })
}

/** Returns the files that lie among those of a group: somebody may have forgotten the schema's name. */
function filesBeside(files: readonly SurveyedFile[], group: Group): SurveyedFile[] {
  const places = placesOf(group)
  return files.filter(({ name }) => isIn(folderOf(name), places))
}

/** Unites groups whose files lie in the same folders, such as three kinds of fixtures. */
function uniteMixed(groups: readonly Group[]): Group[] {
  let united: Group[] = []
  for (const group of groups) {
    const mixed = united.filter((other) => areMixed(group, other))
    const parts = [...mixed, group]

    united = united.filter((other) => !mixed.includes(other))
    united.push({
      files: parts.flatMap(({ files }) => files),
      schemas: parts.flatMap(({ schemas }) => schemas),
    })
  }
  return united
}

function areMixed(one: Group, other: Group): boolean {
  if (isPair(one) || isPair(other)) return false

  const [places, otherPlaces] = [placesOf(one), placesOf(other)]
  const isWithin = ({ folders }: Places, outer: Places) => {
    return [...folders].every((folder) => isIn(folder, outer))
  }

  const shareFolder = [...places.folders].some((folder) => otherPlaces.folders.has(folder))
  return shareFolder || isWithin(places, otherPlaces) || isWithin(otherPlaces, places)
}

/** Whether each file of a group has a schema of its own name. */
function isPair({ files, schemas }: Group): boolean {
  return files.every(({ name }) => schemas.some(({ subject }) => subject === subjectOf(name)))
}

/** Where the files of a group lie. */
interface Places {
  folders: ReadonlySet<string>
  /** The folder that all of these are right in, if there are several. */
  outer: string | undefined
}

function placesOf({ files }: Group): Places {
  const folders = new Set(files.map(({ name }) => folderOf(name)))
  const outers = new Set([...folders].map(outerOf))
  const [outer = ''] = outers
  const areBeside = folders.size > 1 && outers.size === 1 && outer !== ''
  return { folders, outer: areBeside ? outer : undefined }
}

/** Returns the folder that a folder is in. */
function outerOf(folder: string): string {
  return folderOf(folder.slice(0, -1))
}

function isIn(folder: string, { folders, outer }: Places): boolean {
  return folders.has(folder) || (outer !== undefined && outerOf(folder) === outer)
}

/** Groups files whose names are related to that of a schema, by the closest one. */
export function groupRelated(
  files: readonly SurveyedFile[],
  schemas: readonly SchemaFile[],
): Group[] {
  const related = files.flatMap((file) => {
    const closest = relatedSchemas(file.name, schemas)
    return closest.length === 0 ? [] : [{ file, closest }]
  })

  const groups = groupBy(related, ({ closest }) => closest[0]?.name ?? '')
  return [...groups.values()].map((group) => ({
    files: group.map(({ file }) => file),
    schemas: group[0]?.closest ?? [],
  }))
}
