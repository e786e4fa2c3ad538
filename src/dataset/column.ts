/** Hides how a long list of numbers grows. */

/** Whole numbers from 0 to 2^32 - 1, in a list that grows. */
export class Column {
  length = 0
  #numbers = new Uint32Array(64)

  at(index: number): number {
    return this.#numbers[index] as number
  }

  set(index: number, value: number): void {
    this.#numbers[index] = value
  }

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.length++] = value
  }
}
