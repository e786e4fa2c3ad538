/** Opens stores for tests, and damages their files. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { openStore as openPatientStore, type StoreOptions } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'

/** In milliseconds: on a busy machine, a call may wait for longer than a visitor would. */
export const TEST_PATIENCE = 5 * 60_000

/** Opens a store whose calls wait for as long as it takes. */
export function openStore(options: StoreOptions = {}): Promise<Store> {
  return openPatientStore({ patience: TEST_PATIENCE, ...options })
}

/** The size of a page of SQLite, in bytes. */
const PAGE = 4_096

/** Overwrites a page of a SQLite file, counted from 0. */
export function overwritePage(file: string, page: number): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(PAGE, 7), 0, PAGE, PAGE * page)
  closeSync(descriptor)
}
