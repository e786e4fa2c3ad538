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

/** How many keys beside a list make a file a record with a list, if most files have them. */
const FEW_BESIDES = 2

/** Whether what seems to be records are fields of one, as most of several files have the same keys. */
function areFields(shape: Shape, looks: readonly Look[]): boolean {
  if (shape.kind === 'list' || looks.length < 2) return false

  const common = commonKeys(looks.map(({ itself }) => itself))
  const like = looks.filter(({ itself }) => areAlike(itself.keys, common))
  const areSame = common.length > 1 && like.length >= MOST * looks.length
  return areSame && (shape.kind === 'objects by key' || common.length > FEW_BESIDES)
}

export function nameOfShape(shape: Shape): string {
  return shape.kind === 'under a key' ? `${shape.kind} ${shape.key}` : shape.kind
}

/** Returns the keys that most files have, or the records in them. */
export function keysOf(files: readonly SurveyedFile[]): string[] {
  return commonKeys(files.flatMap(({ look }) => (look ? [look.inner ?? look.itself] : [])))
}

/** Whether most files hold the same kind of records. */
export function areMostlyAlike(files: readonly SurveyedFile[]): boolean {
  const shape = nameOfShape(shapeOf(files))
  const parts = files.flatMap(({ look }) => {
    if (look === undefined) return []
    const isOfShape = look.inner !== undefined && nameOfShape(look.inner.shape) === shape
    return [(isOfShape && look.inner) || look.itself]
  })

  const common = commonKeys(parts)
  const like = parts.filter(({ keys }) => areOfOneKind(keys, common))
  return files.length > 1 && like.length >= MOST * files.length
}
