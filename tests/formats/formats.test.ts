/** Checks what the compiler can't see of each format. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeConfig } from '../../src/collections/take-config.ts'
import { ALL_FORMATS, EXTENSIONS, formatOf } from '../../src/formats/formats.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Returns a guide. */
function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

test.each(ALL_FORMATS)(
  '$name is found by each ending of its names, and by its own name',
  (format) => {
    const found = format.extensions.map((extension) => formatOf(`a${extension}`)?.name)
    expect(new Set(found)).toEqual(new Set([format.name]))
    expect(formatOf('a', { format: format.name })).toBe(format)
  },
)

test.each(ALL_FORMATS)('a configuration may name $name', ({ name: format }) => {
  const config = { things: { files: 'data', id: 'id', format } }
  expect(takeConfig({ default: config }, '.')).toMatchObject([{ format }])
})

test.each(['raw-batches/README.md', 'schema/README.md'])('%s names each ending', (file) => {
  // What the guides say of every file goes for JSON.
  const endings = EXTENSIONS.filter((extension) => extension !== '.json')
  const guide = read(file)
  expect(endings.filter((extension) => !guide.includes(`\`${extension}\``))).toEqual([])
})

test.each(['README.md', 'src/package/README.md'])('%s begins with all languages', (file) => {
  const [, , start = ''] = read(file).split('\n')
  expect(ALL_FORMATS.filter(({ language }) => !start.includes(language))).toEqual([])
})

test('the guide of the configuration names each format', () => {
  const guide = read('src/collections/README.md')
  expect(ALL_FORMATS.filter(({ name }) => !guide.includes(`\`'${name}'\``))).toEqual([])
})
