/** What the build needs of a page: an object with a path. All else is for the schema to say. */
export interface Page {
  path: string
  /** Only counted. */
  form?: unknown
}
