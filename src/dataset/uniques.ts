/** Values that only one kept record may have: the schema marks them with `"unique": true`. */

/** Where a value was found first. */
interface Place {
  batch: string
  /** RFC 6901. */
  place: string
}

export class KeptValues {
  readonly #first = new Map<string, Place & { index: number }>()

  /**
   * @param schema the place of the mark: only values of one mark are compared
   * @param record a kept one, by its batch and position
   * @returns where another record has the value; undefined if it is the first
   */
  claim(
    { schema, value, place }: { schema: string; value: string | number; place: string },
    record: { batch: string; index: number },
  ): Place | undefined {
    const key = `${schema} ${JSON.stringify(value)}`
    const first = this.#first.get(key)
    if (!first) this.#first.set(key, { ...record, place })
    return first?.batch === record.batch && first.index === record.index ? undefined : first
  }
}
