/**
 * The process whose power is cut: stores submissions in groups, deletes some, and reports each on
 * standard output. `writer.ts FILE GROUPS`
 */
import { writeSync } from 'node:fs'
import { openStore } from '../../src/store/open-store.ts'

const [file = '', groups = ''] = process.argv.slice(2)
const store = await openStore({ file })

let last = ''
for (let group = 0; group < Number(groups); group += 1) {
  // Sizes that fill part of a database page, a page, and several; some are sent twice.
  const sizes = [group % 7, (group * 397) % 5000, group % 5 === 0 ? 20_000 : 100]
  await Promise.all(
    [...sizes, sizes[0] as number].map(async (size, index) => {
      const { receipt, isRepeat } = await store.add({
        path: '/blog/029',
        fields: [['message', `${group} ${index % 3} ${'x'.repeat(size)}`]],
        dataset: '',
        isSuspect: false,
      })
      writeSync(1, `stored ${receipt}\n`)
      // Only one that was sent once: its repeats would be deleted with it.
      if (index === 1 && !isRepeat) last = receipt
    }),
  )
  if (group % 4 === 3) {
    writeSync(1, `deleting ${last}\n`)
    const found = await store.find(last)
    await store.delete(found ? [found.id] : [])
    writeSync(1, `deleted ${last}\n`)
  }
}
await store.close()
