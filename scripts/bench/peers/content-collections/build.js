import { createBuilder } from '@content-collections/core'

const builder = await createBuilder('content-collections.js')
builder.on('_error', (error) => {
  throw error
})
await builder.build()
