/** Describes what a part of a schema demands, as facts for a sentence, if a sentence can say it. Pure. */

import type { Demand } from '../../fault/facts.ts'
import type { Node } from '../../schema/schemas-in.ts'
import { asObject, isObject } from '../../text/as-object.ts'

/** The keywords that demand nothing of a value. */
const SILENT = ['title', 'description', '$comment', 'examples', 'default', 'patternErrorMessage']

/** The keywords that limit a number or a count. */
const LIMITS = /^(?:min|max|exclusiveM)[a-zA-Z]*(?:imum|Length|Items|Properties)$/

/**
 * Returns all that a schema demands of a value; undefined if that takes more than a few words. Demands
 * on keys only hold for an object that has these.
 */
export function demandsIn(schema: unknown): Demand[] | undefined {
  if (!isObject(schema) || Array.isArray(schema)) return undefined

  const demands: Demand[] = []
  for (const [keyword, content] of Object.entries(schema)) {
    if (SILENT.includes(keyword)) continue

    const ofKeyword = demandsOf(keyword, content, schema as Node)
    if (!ofKeyword) return undefined
    demands.push(...ofKeyword)
  }
  return withoutRepetition(demands)
}

function demandsOf(keyword: string, content: unknown, schema: Node): Demand[] | undefined {
  switch (keyword) {
    case 'const':
      return [{ kind: 'values', values: [content] }]
    case 'enum':
      return [{ kind: 'values', values: content as unknown[] }]
    case 'type':
      return [{ kind: 'types', types: [content].flat() as string[] }]
    case 'required':
      return [{ kind: 'keys', keys: content as string[] }]
    case 'pattern':
      return [demandOfPattern(String(content), schema)]
    case 'format':
      return [{ kind: 'format', format: String(content) }]
    case 'multipleOf':
      return [{ kind: 'multiple', unit: Number(content) }]
    case 'properties':
      return demandsOfKeys(asObject(content))
  }
  return LIMITS.test(keyword) ? [{ kind: 'limit', keyword, limit: Number(content) }] : undefined
}

/** Describes a pattern, in the words of the schema's owner if there are any. */
export function demandOfPattern(pattern: string, schema: Node): Demand {
  const { patternErrorMessage: sentence } = schema
  return typeof sentence === 'string'
    ? { kind: 'sentence', sentence }
    : { kind: 'pattern', pattern }
}

function demandsOfKeys(properties: Record<string, unknown>): Demand[] | undefined {
  const members: Demand[] = []
  for (const [key, schema] of Object.entries(properties)) {
    // One level is as much as a sentence can say.
    const isDeep = isObject(schema) && 'properties' in schema
    const demands = isDeep ? undefined : demandsIn(schema)
    if (!demands || demands.length === 0) return undefined
    members.push({ kind: 'member', key, demands })
  }
  return members
}

/** Leaves out types beside a more exact demand, and keys beside a demand on their values. */
function withoutRepetition(demands: readonly Demand[]): Demand[] {
  const members = new Set(demands.map((demand) => (demand.kind === 'member' ? demand.key : '')))
  const exact = demands.flatMap((demand): Demand[] => {
    if (demand.kind === 'types') return []
    if (demand.kind !== 'keys') return [demand]

    const keys = demand.keys.filter((key) => !members.has(key))
    return keys.length === 0 ? [] : [{ kind: 'keys', keys }]
  })
  return exact.length > 0 ? exact : [...demands]
}
