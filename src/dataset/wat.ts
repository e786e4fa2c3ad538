/** Hides how characters are written as numbers in the text of a WebAssembly program. */

/** The byte of an ASCII character. */
export function code(character: string): number {
  return character.charCodeAt(0)
}

/** Up to eight ASCII characters as the number that a load of their bytes gives. */
export function littleEndian(text: string): string {
  return `0x${Buffer.from(text).reverse().toString('hex')}`
}
