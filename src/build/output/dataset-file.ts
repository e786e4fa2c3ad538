/** The file of a dataset, which is written item by item: memory holds none of them. */
import type { Collection } from '../../collections/collection.ts'
import { DATASET } from '../../dataset/format.ts'
import { type Digest, GrowingFile } from '../../machine/growing-file.ts'

const BETWEEN = Buffer.from(DATASET.between)

export class DatasetFile {
  readonly #file: GrowingFile
  /** Whether it is an object of items by their ids, because these may not be in the items. */
  readonly #isNamed: boolean
  /** The offset of each item in the file. */
  readonly #offsets: number[] = []

  /** @param file must not exist yet */
  constructor(file: string, { id }: Collection) {
    this.#file = new GrowingFile(file)
    this.#isNamed = !('key' in id)
  }

  /** @param json the item as `JSON.stringify` writes it */
  add(id: string, json: Buffer): void {
    const isFirst = this.#offsets.length === 0
    this.#file.add(isFirst ? Buffer.from(this.#brackets.start) : BETWEEN)
    this.#offsets.push(this.#file.size)
    if (this.#isNamed) this.#file.add(nameBefore(id))
    this.#file.add(json)
  }

  /** Reads an item again, as it was added. @param item its number, from 0 */
  read(item: number, id: string): Buffer {
    const start = this.#offsets[item] as number
    const next = this.#offsets[item + 1]
    const end = next === undefined ? this.#file.size : next - BETWEEN.length

    const bytes = this.#file.read(start, end - start)
    return this.#isNamed ? bytes.subarray(nameBefore(id).length) : bytes
  }

  /** Completes the dataset. */
  seal(): Digest {
    const { empty, end } = this.#brackets
    this.#file.add(Buffer.from(this.#offsets.length === 0 ? empty : end))
    return this.#file.seal()
  }

  /** The whole dataset as it was sealed. */
  text(): string {
    return this.#file.read(0, this.#file.size).toString()
  }

  close(): void {
    this.#file.close()
  }

  /** The text before the first item and after the last. */
  get #brackets() {
    return this.#isNamed ? DATASET.byId : DATASET.list
  }
}

/** The text before an item with a name, such as `"PE": `. */
function nameBefore(id: string): Buffer {
  return Buffer.from(`${JSON.stringify(id)}: `)
}
