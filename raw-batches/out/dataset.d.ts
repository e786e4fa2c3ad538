// Made by ManyURLs. Do not edit; edit the schema of a batch instead.
// Schema: sha256 1f77d202e1ce8253a1bd5cf124c25799a709ef5fe61b8c76851f7f188a28dded

export type Line = string
export type Timestamp = string
export type Batch = Delivered[]

export interface Delivered {
  path: string
  title: string
  contentHtml: string
  form: null | FormDefinition
  createdAt: Timestamp
  updatedAt: Timestamp
}
export interface FormDefinition {
  /**
   * @minItems 1
   */
  fields: FieldDefinition[]
}
export interface FieldDefinition {
  name: string
  label: Line
  type: 'text' | 'email' | 'textarea'
  placeholder: Line
  required: boolean
}

export type Page = Delivered
