/** One site with pages that the sample lacks, for the tests of several files. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { takeTurn } from '../../../src/build/disk/lock.ts'
import { FIELD_TYPES } from '../../../src/page/form-fields.ts'
import { buildSite } from './build-site.ts'
import { plain, withTwoFields } from './dataset.ts'

/** In milliseconds. It only stops a hang. */
const PATIENCE = 15 * 60_000

/** The names of methods and properties of a form. */
const METHODS = ['reset', 'getAttribute', 'querySelectorAll', 'addEventListener', 'closest']

/** A page whose form has fields with the names of its own methods. */
export const withMethodNames = {
  ...withTwoFields,
  path: '/odd/names',
  form: {
    fields: METHODS.map((name) => ({ name, label: name, type: 'text', required: false })),
  },
}

/** A page with a field of each type. */
export const withEveryField = {
  ...plain,
  path: '/odd/fields',
  form: {
    fields: Object.keys(FIELD_TYPES).map((type) => {
      return { name: type, label: `My ${type}`, type, required: true, options: ['a', 'b'] }
    }),
  },
}

/** A page whose body a test can find in the built files. */
export const marked = { ...plain, contentHtml: '<p>MARK</p>' }

/** Returns the folder of the built site. The first test of any worker that asks for it builds it. */
export async function oddSite(): Promise<string> {
  const folder = join(process.env.BROWSER_TESTS as string, 'odd')
  const dist = join(folder, 'dist')
  mkdirSync(folder, { recursive: true })

  const endTurn = await takeTurn(folder, { wait: PATIENCE })
  try {
    if (!existsSync(dist)) await buildSite([withMethodNames, withEveryField, marked], dist)
    return dist
  } finally {
    endTurn()
  }
}
