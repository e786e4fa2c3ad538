/** A separate process that fills a store: `store-child.ts FILE NAME COUNT SIZE`. */
import { openStore } from '../../src/store/open-store.ts'

const [file = '', name = '', count = '', size = ''] = process.argv.slice(2)
const store = await openStore({ file })

async function add(index: number) {
  const answer = await store.add({
    path: '/blog/029',
    fields: [['message', `${name} ${index} ${'x'.repeat(Number(size))}`]],
    dataset: '',
    isSuspect: false,
  })
  // Reported at once, as a receiver would: if it is not stored after a crash, it is lost.
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

for (let index = 0; index < Number(count); index += 1) {
  try {
    await add(index)
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`)
  }
}
await store.close()
