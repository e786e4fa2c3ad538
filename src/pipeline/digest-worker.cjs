// What `digests.ts` has done in a second thread. Plain JavaScript, for a thread that had to load a
// compiler first would begin when the work is half done.
const { createHash } = require('node:crypto')
const { parentPort } = require('node:worker_threads')

const streams = new Map()

parentPort.on('message', ({ stream, bytes, isLast }) => {
  const hash = streams.get(stream) ?? createHash('sha256')
  hash.update(bytes)
  if (isLast) streams.delete(stream)
  else streams.set(stream, hash)
  parentPort.postMessage(isLast ? hash.digest('hex') : '')
})
