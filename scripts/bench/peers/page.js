// What a schema library of the usual kind can say of a page: all of the JSON Schema, and not the
// rules that look at two keys.

/** @param z zod, or what is like it */
export function pageSchema(z) {
  // biome-ignore-start lint/suspicious/noControlCharactersInRegex: as the schema has them.
  const line = z.string().regex(/^(?!\s*$)[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$/u)
  const time = z
    .string()
    .regex(
      /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})$/u,
    )
  const field = z
    .object({
      name: z.string().regex(/^[a-z][a-z0-9-]*$/u),
      label: line,
      type: z.enum(['text', 'email', 'textarea']),
      placeholder: line,
      required: z.boolean(),
    })
    .strict()
  return z
    .object({
      path: z.string().regex(/^\/[a-z]+\/[0-9]{3,}$/u),
      title: z.string().regex(/^[A-Z][a-z]+ Page [0-9]{3,}$/u),
      contentHtml: z
        .string()
        .regex(
          /^(?:<p>(?!\s*<\/p>)(?:[^<>&\u0000-\u0008\u000b-\u001f\u007f-\u009f]|&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});)+<\/p>){1,5}$/u,
        ),
      form: z
        .object({ fields: z.array(field).min(1) })
        .strict()
        .nullable(),
      createdAt: time,
      updatedAt: time,
    })
    .strict()
}

// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as the schema has them.

/** The first of every path, in order. */
export function firsts(pages) {
  const seen = new Map()
  for (const page of pages) if (!seen.has(page.path)) seen.set(page.path, page)
  return [...seen.values()]
}
