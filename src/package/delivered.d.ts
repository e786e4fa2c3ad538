/**
 * What the package knows of a delivered file, of a record and of a page: nothing, so they are what
 * `JSON.parse` returns. `defineContent<Record>` names their type.
 */
type Json = ReturnType<typeof JSON.parse>
export type Batch = Json
export type Delivered = Json
export type Page = Json
