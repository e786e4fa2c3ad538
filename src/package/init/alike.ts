/** Whether several files hold the same kind of records. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { areAlike, areOfOneKind, commonKeys, type Look, type Shape } from './look.ts'
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

/** Whether what seems to be records are fields of one, which each of several files is. */
function areFields(shape: Shape, looks: readonly Look[]): boolean {
  if (shape.kind === 'list' || looks.length < 2) return false

  const common = commonKeys(looks.map(({ itself }) => itself))
  if (shape.kind === 'under a key') return common.some((key) => isName(key, looks))

  const like = looks.filter(({ itself }) => areAlike(itself.keys, common))
  return common.length > 1 && like.length >= MOST * looks.length
}

/** Whether a text differs in most files, and so names them: `{ "chain": "osmosis", "versions": [{ … }] }`. */
function isName(key: string, looks: readonly Look[]): boolean {
  const texts = new Set(looks.flatMap((look) => look.texts.get(key) ?? []))
  return texts.size >= MOST * looks.length
}

export function nameOfShape(shape: Shape): string {
  return shape.kind === 'under a key' ? `${shape.kind} ${shape.key}` : shape.kind
}

/** Returns the files that hold the kind of records that most of them do. */
export function alikeFiles(files: readonly SurveyedFile[]): Set<SurveyedFile> {
  const shape = nameOfShape(shapeOf(files))
  const parts = files.flatMap((file) => {
    const { look } = file
    if (look === undefined) return []
    const isOfShape = look.inner !== undefined && nameOfShape(look.inner.shape) === shape
    const { keys } = isOfShape && look.inner ? look.inner : look.itself
    return [{ file, keys }]
  })

  const common = commonKeys(parts)
  const like = parts.filter(({ keys }) => areOfOneKind(keys, common))
  return new Set(like.map(({ file }) => file))
}

/** Whether most files hold the same kind of records. */
export function areMostlyAlike(files: readonly SurveyedFile[]): boolean {
  return files.length > 1 && alikeFiles(files).size >= MOST * files.length
}
