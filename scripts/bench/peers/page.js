// What a typical schema library can say about a page: all of the JSON Schema, except whether a
// time exists in the calendar, and without the rules that compare two keys.
import { readFileSync } from 'node:fs'

const { page, line, timestamp, field } = JSON.parse(
  readFileSync(process.env.BENCH_SCHEMA, 'utf8'),
).$defs

/** @param z zod, or a library with the same API */
export function pageSchema(z) {
  const text = ({ pattern }) => z.string().regex(new RegExp(pattern, 'u'))
  const { name, type } = field.properties
  const fields = z.array(
    z
      .object({
        name: text(name),
        label: text(line),
        type: z.enum(type.enum),
        placeholder: text(line),
        required: z.boolean(),
      })
      .strict(),
  )
  const { path, title, contentHtml } = page.properties
  return z
    .object({
      path: text(path),
      title: text(title),
      contentHtml: text(contentHtml),
      form: z
        .object({ fields: fields.min(1) })
        .strict()
        .nullable(),
      createdAt: text(timestamp),
      updatedAt: text(timestamp),
    })
    .strict()
}

/** Returns the first page of every path, in order. */
export function firsts(pages) {
  const seen = new Map()
  for (const page of pages) if (!seen.has(page.path)) seen.set(page.path, page)
  return [...seen.values()]
}
