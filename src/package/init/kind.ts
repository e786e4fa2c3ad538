/** A kind: files that hold the same sort of records, and how they're named. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { areOfOneKind, commonKeys, type Look, type Records, type Shape } from './look.ts'
import { folderOf, foldersFrom, nameOfFolder, outerOf, stemOf } from './paths.ts'
import type { SurveyedFile } from './survey.ts'

/** How a kind names its files. */
type Naming =
  | { kind: 'one file' }
  /** `charts/*` + `/values.yaml`: one name, in folders at any depth. */
  | { kind: 'same name'; name: string }
  /** `*-config.yaml`: the end of each name. */
  | { kind: 'same end'; end: string }
  /** All of a folder. */
  | { kind: 'folder' }
  /** `*` + `/videos/`: all of the folders of one name, in folders beside each other. */
  | { kind: 'same folder'; inner: string }

export interface Kind {
  /** The folder that its files are in, at any depth, with a slash at its end; empty for the root. */
  folder: string
  naming: Naming
  files: readonly SurveyedFile[]
  shape: Shape
}

export function kindOf(folder: string, naming: Naming, files: readonly SurveyedFile[]): Kind {
  return { folder, naming, files, shape: shapeOf(files) }
}

export function kindOfOne(file: SurveyedFile): Kind {
  return kindOf(folderOf(file.name), { kind: 'one file' }, [file])
}

/** Makes a kind of all of the folders of one name in folders beside each other. */
export function kindOfFolders(files: readonly SurveyedFile[], folder: string): Kind {
  return kindOf(
    outerOf(outerOf(folder)),
    { kind: 'same folder', inner: nameOfFolder(folder) },
    files,
  )
}

/** Returns what is read of the files of a kind: their records. */
export function recordsOf({ files, shape }: Kind): Records[] {
  return files.flatMap(({ look }) => {
    if (look === undefined) return []
    return (shape.kind === 'one record' ? look.itself : innerOf(look, shape)) ?? []
  })
}

/** Returns the records in a file, if they have a shape. */
function innerOf({ inner }: Look, shape: Shape): Records | undefined {
  return inner && nameOfShape(inner.shape) === nameOfShape(shape) ? inner : undefined
}

/** Returns what a kind may be called: after its file or its folders, the closest first. */
export function namesOf({ folder, naming, files }: Kind): string[] {
  const folders = foldersFrom(folder).map(nameOfFolder)
  switch (naming.kind) {
    case 'folder':
      return folders
    case 'same end':
      return [stemOf(naming.end.slice(1)), ...folders]
    case 'one file':
      return [stemOf(files[0]?.name ?? ''), ...folders]
    case 'same name':
      return [stemOf(naming.name), ...folders]
    case 'same folder':
      return [naming.inner, ...folders]
  }
}

/** Which part of several files is most of them. */
export const MOST = 0.75

/** Returns the shape that most files have. */
function shapeOf(files: readonly SurveyedFile[]): Shape {
  const looks = files.flatMap(({ look }) => (look ? [look] : []))
  const shapes = looks.flatMap(({ inner }) => (inner ? [inner.shape] : []))
  const byShape = groupBy(shapes, (shape) => nameOfShape(shape))

  const [most] = [...byShape.values()].sort((a, b) => b.length - a.length)
  const [shape] = most ?? []
  const isUsual = most !== undefined && 2 * most.length > looks.length
  if (!isUsual || shape === undefined || areFields(shape, looks)) return { kind: 'one record' }
  return shape
}

/** Whether what seems to be records are fields of one, which each of several files is: most have other fields, too. */
function areFields(shape: Shape, looks: readonly Look[]): boolean {
  const fields = commonKeys(looks.map((look) => look.fields))
  return shape.kind !== 'list' && looks.length > 1 && fields.length > 1
}

function nameOfShape(shape: Shape): string {
  return shape.kind === 'under a key' ? `${shape.kind} ${shape.key}` : shape.kind
}

/** Returns the files whose keys, or those of the records in them, are those that most files have. */
export function filesAlike(files: readonly SurveyedFile[]): Set<SurveyedFile> {
  const shape = shapeOf(files)
  const parts = files.flatMap((file) => {
    const { look } = file
    if (look === undefined) return []
    const { keys } = innerOf(look, shape) ?? look.itself
    return [{ file, keys }]
  })

  const keys = commonKeys(parts.map((part) => part.keys))
  const like = parts.filter((part) => areOfOneKind(part.keys, keys))
  return new Set(like.map(({ file }) => file))
}

/** Whether most files hold the same kind of records, of those that can be read. */
export function areMostlyAlike(files: readonly SurveyedFile[]): boolean {
  const readable = files.filter(({ look }) => look !== undefined)
  return readable.length > 1 && filesAlike(readable).size >= MOST * readable.length
}
