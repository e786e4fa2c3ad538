/** How texts look on a stream: as wide as its terminal, and in colors if it shows them. */
import { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import { type Style, UNSTYLED } from '../report/style.ts'

/** A stream that a command prints on: a terminal, or anything else. */
export type Screen = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>

/** In fewer columns, nothing of a line would be left beside its number. */
const FEWEST_COLUMNS = 20

/**
 * In more columns, a frame doesn't help more. A line that was written by hand fits: formatters break at 80
 * to 120. Of a longer one, such as a file in one line, what is near the mark counts.
 */
const MOST_COLUMNS = 120

/** @param env decides on colors as in Node.js: `NO_COLOR`, `FORCE_COLOR`, `TERM` */
export function styleOf(screen: Screen, env: NodeJS.ProcessEnv): Style {
  const plain = { ...UNSTYLED, columns: columnsOf(screen) }
  return hasColors(screen, env) ? { ...plain, ...COLORS } : plain
}

/** Only a terminal has columns. Some don't know how many, and say 0. */
function columnsOf({ columns = 0 }: Screen): number {
  if (columns === 0) return UNSTYLED.columns

  return Math.min(Math.max(columns, FEWEST_COLUMNS), MOST_COLUMNS)
}

function hasColors({ isTTY = false }: Screen, env: NodeJS.ProcessEnv): boolean {
  const isAsked = isTTY || env.FORCE_COLOR !== undefined
  if (!isAsked) return false

  const bits = WriteStream.prototype.getColorDepth(env)
  return bits > 1
}

const COLORS = {
  place: inFormat('bold'),
  fault: inFormat('red'),
  warning: inFormat('yellow'),
  faint: inFormat('dim'),
}

function inFormat(format: 'bold' | 'red' | 'yellow' | 'dim') {
  // Whether there are colors is decided once, and for the stream on which the text is printed.
  return (text: string) => styleText(format, text, { validateStream: false })
}
