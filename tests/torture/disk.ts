/**
 * A simulated disk whose power can be cut: flushed changes survive, and any part of the others may.
 * It guarantees no more than POSIX: a flushed file can still lack its name until the folder is
 * flushed, unflushed changes arrive in any order, and a write may arrive in part, one sector of 512
 * bytes without its neighbor.
 */
import { basename, dirname } from 'node:path'
import type { Call } from './trace.ts'

const SECTOR = 512

type Change = { at: number; bytes: Buffer } | { size: number }

/** A file or a folder: what is on the disk, and the changes that are not flushed yet. */
interface Node {
  isFolder: boolean
  content: Buffer
  changes: Change[]
  names: Map<string, Node>
  nameChanges: { name: string; node: Node | undefined }[]
}

const newNode = (isFolder: boolean): Node => ({
  isFolder,
  content: Buffer.alloc(0),
  changes: [],
  names: new Map(),
  nameChanges: [],
})

/** Decides for each unflushed change, and for each sector of a write, whether it survives. */
export type Survives = () => boolean

export class Disk {
  #folder: string
  #root = newNode(true)

  /** @param folder contains all paths */
  constructor(folder: string) {
    this.#folder = folder
  }

  apply(call: Exclude<Call, { kind: 'tell' }>): void {
    const { kind, path } = call
    switch (kind) {
      case 'make folder':
      case 'make file':
        if (!this.#find(path)) this.#name(path, newNode(kind === 'make folder'))
        return
      case 'remove':
        this.#name(path, undefined)
        return
      case 'rename':
        this.#name(call.to, this.#find(path))
        this.#name(path, undefined)
        return
      case 'write':
        this.#get(path).changes.push({ at: call.at, bytes: call.bytes })
        return
      case 'truncate':
        this.#get(path).changes.push({ size: call.size })
        return
      case 'flush': {
        const node = this.#get(path)
        node.content = content(node, () => true)
        node.names = names(node, () => true)
        node.changes = []
        node.nameChanges = []
      }
    }
  }

  /** Returns the files, by path within the folder, as they may be when the power comes back. */
  afterPowerCut(survives: Survives): Map<string, Buffer> {
    const files = new Map<string, Buffer>()
    const walk = (node: Node, path: string) => {
      if (!node.isFolder) {
        files.set(path, content(node, survives))
        return
      }
      for (const [name, child] of names(node, survives)) {
        walk(child, path === '' ? name : `${path}/${name}`)
      }
    }
    walk(this.#root, '')
    return files
  }

  #find(path: string): Node | undefined {
    const steps = path.slice(this.#folder.length).split('/').filter(Boolean)
    return steps.reduce<Node | undefined>(
      (node, step) => node && names(node, () => true).get(step),
      this.#root,
    )
  }

  #get(path: string): Node {
    const node = this.#find(path)
    if (!node) throw new Error(`${path} was changed but never made`)
    return node
  }

  #name(path: string, node: Node | undefined): void {
    this.#get(dirname(path)).nameChanges.push({ name: basename(path), node })
  }
}

function names({ names, nameChanges }: Node, survives: Survives): Map<string, Node> {
  const result = new Map(names)
  for (const { name, node } of nameChanges) {
    if (!survives()) continue
    if (node) result.set(name, node)
    else result.delete(name)
  }
  return result
}

function content({ content, changes }: Node, survives: Survives): Buffer {
  let result: Buffer = Buffer.from(content)
  for (const change of changes) {
    if ('size' in change) {
      if (survives()) result = resized(result, change.size)
      continue
    }
    const { at, bytes } = change
    // Sectors are aligned, so the first and the last part may be shorter.
    for (let from = 0; from < bytes.length; ) {
      const to = Math.min(bytes.length, from + SECTOR - ((at + from) % SECTOR))
      if (survives()) {
        if (result.length < at + to) result = resized(result, at + to)
        bytes.copy(result, at + from, from, to)
      }
      from = to
    }
  }
  return result
}

function resized(buffer: Buffer, size: number): Buffer {
  const result = Buffer.alloc(size)
  buffer.copy(result, 0, 0, size)
  return result
}
