/**
 * The types that the schema gives: of a delivered file, of a record in it, and of a page. Only here,
 * the code knows where they are. In the package, `src/package/delivered.d.ts` stands for this file.
 */
export type { Batch, Delivered, Page } from '../generated/dataset.json'
