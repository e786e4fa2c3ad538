/** A question on a terminal. */
import { createInterface } from 'node:readline'

/** An answer that agrees: `y`, `Yes`, or only Enter. */
const YES = /^\s*(?:y|yes)?\s*$/i

/**
 * Asks a question. Without an answer, as after Ctrl-D, it's a no.
 *
 * @param question such as "Add it? [Y/n] "
 */
export async function ask(
  question: string,
  stdin: NodeJS.ReadableStream,
  stdout: NodeJS.WritableStream,
): Promise<boolean> {
  stdout.write(question)

  // Without an output, readline leaves Ctrl-C to the system.
  for await (const line of createInterface({ input: stdin })) return YES.test(line)

  stdout.write('\n')
  return false
}
