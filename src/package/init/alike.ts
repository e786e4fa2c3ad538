/** Whether several files hold the same kind of records. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { areOfOneKind, commonKeys, type Look, type Shape } from './look.ts'
import type { SurveyedFile } from './survey.ts'

/** Which part of several files is most of them. */
export const MOST = 0.75

/** Returns the shape that most files have. */
export function shapeOf(files: readonly SurveyedFile[]): Shape {
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

export function nameOfShape(shape: Shape): string {
  return shape.kind === 'under a key' ? `${shape.kind} ${shape.key}` : shape.kind
}

/** Returns the keys that most files have, or the records in them, and the files that are like that. */
export function kindIn(files: readonly SurveyedFile[]) {
  const shape = nameOfShape(shapeOf(files))
  const parts = files.flatMap((file) => {
    const { look } = file
    if (look === undefined) return []
    const isOfShape = look.inner !== undefined && nameOfShape(look.inner.shape) === shape
    const { keys } = isOfShape && look.inner ? look.inner : look.itself
    return [{ file, keys }]
  })

  const keys = commonKeys(parts.map((part) => part.keys))
  const like = parts.filter((part) => areOfOneKind(part.keys, keys))
  return { keys, files: new Set(like.map(({ file }) => file)) }
}

/** Whether most files hold the same kind of records, of those that can be read. */
export function areMostlyAlike(files: readonly SurveyedFile[]): boolean {
  const readable = files.filter(({ look }) => look !== undefined)
  return readable.length > 1 && kindIn(readable).files.size >= MOST * readable.length
}
