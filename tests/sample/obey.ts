/**
 * An author who does to the letter what each message says, and nothing else. Where a message leaves
 * a choice, the last one is taken: to remove what can only be lost.
 */
import { locate } from '../../src/batch/json/json.ts'
import type { Problem } from '../../src/batch/problem.ts'
import { parsePointer } from '../../src/page/violation.ts'

const REMOVED = Symbol('removed')
const names = (text = '') => [...text.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name)
// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Json = any

/** What to do with the value that is marked. */
const VALUES: [says: RegExp, fix: (value: Json, found: string[]) => unknown][] = [
  [/did you mean (".*")\?/, (_, [, meant = '']) => JSON.parse(meant)],
  [
    /only the list of the key ([^,]*)/,
    (value, [, keys]) => names(keys).reduceRight((inner, key) => inner[key], value),
  ],
  [
    /join the lists of the keys (.*?)(?:, and move|$)/,
    (value, [, keys]) => names(keys).flatMap((key) => value[key]),
  ],
  [/put \[ before it/, (value) => [value]],
  [/put \{ "(\w+)": before it/, (value, [, key = '']) => ({ [key]: value })],
  [/put \{ "(\w+)": \[ before it/, (value, [, key = '']) => ({ [key]: [value] })],
  [/remove the quotes around it|deliver the JSON itself/, (value) => JSON.parse(value)],
  [/remove the .* around it$/, (value) => Object.values(value)[0]],
  [/remove the key before each item/, (value) => Object.values(value)],
  [
    /move the key before each item into it/,
    (value) => Object.entries<object>(value).map(([key, item]) => ({ ...item, key })),
  ],
  [/^this is empty; write null/, () => null],
  [/write "(\w+)": null if there is none/, (value, [, key = '']) => ({ ...value, [key]: null })],
  [/^this is hardly a page/, () => REMOVED],
]

/** What to do with the value of a key that is marked: what stands in place of both. */
const KEYS: [says: RegExp, fix: (value: Json, found: string[], key: string) => object][] = [
  [
    /(?:did you mean|, and) "(\w+)"(?:\?| is missing)/,
    (value, [, meant = '']) => ({ [meant]: value }),
  ],
  [/move what is in it up/, (value) => value],
  [/as the value of "(\w+)"/, (value, [, to = ''], key) => ({ [to]: { [key]: value } })],
  [/remove it and its value|remove it, its value/, () => ({})],
]

/** What to do with the part of a body that is marked. */
const PARTS: [says: RegExp, fix: (part: string, found: string[]) => string][] = [
  [/remove its tags/, () => ''],
  [/write ([&<>]) as (&\w+;)(?! and)/, (part, [, from = '', to = '']) => part.replace(from, to)],
  [/^this is no element/, (part) => `&lt;${part.slice(1, -1)}&gt;`],
  [/^write (\S+) itself/, (_, [, character = '']) => character],
  [/^a semicolon must follow/, (part) => `${part};`],
  [/^remove the backslash/, (part) => part.replace(/\\/g, '')],
  [
    /write <p> and <\/p> instead/,
    (part) => part.replace(/^<[^>]*>/, '<p>').replace(/<[^<]*$/, '</p>'),
  ],
  [/^write the tags as/, (part) => (part.includes('/') && !part.endsWith('/>') ? '</p>' : '<p>')],
  [/^the > of this tag/, (part) => `${part}>`],
  [/^the < of this tag/, (part) => `<${part}`],
  [/^a table is not allowed/, (part) => `<p>${part.replace(/<[^<>]*>+/g, ', ')}</p>`],
  [/^write <\/p> here/, () => '</p>'],
  [/write <\/p><p> instead/, () => '</p><p>'],
  [/<\/p> is missing before/, (part) => `</p>${part}`],
  [/<\/p> is missing at the end/, (part) => `${part}</p>`],
  [/<p> is missing before/, (part) => `<p>${part}`],
  [/^text must be inside/, (part) => `<p>${part}</p>`],
  [/^a sixth paragraph/, (part) => part.replaceAll('</p><p>', ' ')],
  [
    /^this body is escaped/,
    (part) => part.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  ],
  [/remove (?:it|this|the space)/, () => ''],
]

/** Returns the batch as it is then; undefined if a message only says what a value must be. */
export function obey(text: string, problems: readonly Problem[]): string | undefined {
  const root: Json = { batch: JSON.parse(text) }
  const lines = text.split('\n')
  for (const { pointer, message, line, column, endColumn } of [...problems].reverse()) {
    const steps = ['batch', ...parsePointer(pointer)]
    const key = String(steps.pop())
    const parent = steps.reduce<Json>((inner, step) => inner?.[step], root)
    const find = <Row extends readonly [RegExp, unknown]>(table: readonly Row[]) =>
      table.find(([says]) => says.test(message))
    const foundBy = (says: RegExp) => says.exec(message) ?? []
    const ofKey = /^unknown key/.test(message) ? find(KEYS) : undefined
    const ofValue = find(VALUES)
    const ofPart = find(PARTS)
    if (ofKey) {
      const { [key]: value, ...others } = parent
      for (const each of Object.keys(parent)) delete parent[each]
      Object.assign(parent, others, ofKey[1](value, foundBy(ofKey[0]), key))
    } else if (ofValue) {
      parent[key] = ofValue[1](parent[key], foundBy(ofValue[0]))
    } else if (ofPart && typeof parent?.[key] === 'string') {
      const whole: string = parent[key]
      const mark = lines[line - 1]?.slice(column - 1, endColumn - 1) ?? ''
      const [place] = locate(text, [{ pointer: parsePointer(pointer), at: 'value' }])
      const from = lines.slice(0, line - 1).join('\n').length + (line > 1 ? column : column - 1)
      const before = JSON.parse(`"${text.slice((place?.start ?? 0) + 1, from)}"`)
      const [start, part] = mark.startsWith('"')
        ? [0, whole]
        : [before.length, JSON.parse(`"${mark}"`)]
      const [, tag = ''] = /its tags/.test(message) ? (/^<([\w:]+)/.exec(part) ?? []) : []
      const rest = whole.slice(start + part.length).replace(tag && `</${tag}>`, '')
      parent[key] = whole.slice(0, start) + ofPart[1](part, foundBy(ofPart[0])) + rest
    } else return undefined
  }
  if (Array.isArray(root.batch))
    root.batch = root.batch.filter((record: unknown) => record !== REMOVED)
  return JSON.stringify(root.batch, null, 2)
}
