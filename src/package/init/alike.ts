/** Whether several files hold the same kind of records. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { areOfOneKind, commonKeys, type Shape } from './look.ts'
import type { SurveyedFile } from './survey.ts'

/** Returns the shape that most files have. */
export function shapeOf(files: readonly SurveyedFile[]): Shape {
  const looks = files.flatMap(({ look }) => (look ? [look] : []))
  const shapes = looks.flatMap(({ inner }) => (inner ? [inner.shape] : []))
  const byShape = groupBy(shapes, (shape) => nameOfShape(shape))

  const [most] = [...byShape.values()].sort((a, b) => b.length - a.length)
  const isUsual = most !== undefined && 2 * most.length > looks.length
  return (isUsual && most[0]) || { kind: 'one record' }
}

export function nameOfShape(shape: Shape): string {
  return shape.kind === 'under a key' ? `${shape.kind} ${shape.key}` : shape.kind
}

/** Returns the keys that most files have, or the records in them. */
export function keysOf(files: readonly SurveyedFile[]): string[] {
  return commonKeys(files.flatMap(({ look }) => (look ? [look.inner ?? look.itself] : [])))
}

/** Which part of several files is most of them. */
export const MOST = 0.75

/** Whether most files hold the same kind of records. */
export function areMostlyAlike(files: readonly SurveyedFile[]): boolean {
  const common = keysOf(files)
  const shape = nameOfShape(shapeOf(files))
  const like = files.filter(({ look }) => {
    const isOfShape = nameOfShape(look?.inner?.shape ?? { kind: 'one record' }) === shape
    return isOfShape && areOfOneKind((look?.inner ?? look?.itself)?.keys ?? [], common)
  })
  return files.length > 1 && like.length >= MOST * files.length
}
