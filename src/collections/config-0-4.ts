/** Says what to do with a configuration of 0.4.0, which named one collection, and its records pages. */

/** What is said of one. */
export const FOR_0_4 =
  'it is written for ManyURLs 0.4. Write collections instead: see "From 0.4.0" in the guide of manyurls'

/**
 * Of 0.4.0.
 *
 * @deprecated use `defineCollections`
 */
export function defineContent(_: unknown): never {
  throw new Error(FOR_0_4)
}
