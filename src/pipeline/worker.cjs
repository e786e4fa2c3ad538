// What `background.ts` has done in a second thread. Plain JavaScript, for a thread that had to load a
// compiler first would begin when the work is half done.
const { createHash } = require('node:crypto')
const { parentPort } = require('node:worker_threads')

let program
const digests = new Map()

const tasks = {
  load({ module, memory, globals }) {
    program = new WebAssembly.Instance(module, { allocator: { memory } }).exports
    for (const [name, value] of Object.entries(globals)) program[name].value = value
  },
  scan({ start, end, span, spansEnd, begun }) {
    return Atomics.exchange(begun, 0, 1) === 0
      ? program.scan(start, end, span, spansEnd)
      : undefined
  },
  update({ digest, bytes }) {
    if (!digests.has(digest)) digests.set(digest, createHash('sha256'))
    digests.get(digest).update(bytes)
  },
  end({ digest }) {
    const sha256 = digests.get(digest).digest('hex')
    digests.delete(digest)
    return sha256
  },
}

parentPort.on('message', ({ task, ...options }) => parentPort.postMessage(tasks[task](options)))
