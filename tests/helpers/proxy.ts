/** A proxy to a server. It can be shut, or break a connection right after a commit. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** @param target the port of a Postgres on this machine */
export async function startProxy(target: number) {
  const open = new Set<Socket>()
  let isArmed = false
  let isShut = false
  const server = createServer((near) => {
    if (isShut) return near.destroy()
    const far = connect(target, '127.0.0.1')
    let isCommitting = false
    near.on('data', (bytes) => {
      isCommitting = isArmed && bytes.includes('COMMIT')
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      if (!isCommitting) return near.write(bytes)
      isArmed = false
      return near.destroy()
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    /** Breaks the next connection that commits, once the server has committed. */
    breakAtCommit() {
      isArmed = true
    },
    /** Breaks every connection, and each new one until `open`. */
    shut() {
      isShut = true
      for (const socket of open) socket.destroy()
    },
    open() {
      isShut = false
    },
    stop() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
