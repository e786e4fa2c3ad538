/** Regular expressions of schemas. Pure. */

export interface Pattern {
  /** As a regular expression with the flag `u`, by which JSON Schema reads it. */
  source: string
  /** Why it can't be one. */
  reason?: string
}

/**
 * Reads a pattern as Unicode (2020-12, Core, 6.4). Many people's patterns have escapes that this
 * refuses though their meaning is plain, such as `\_` and `\'`: they stand for the character itself.
 */
export function readPattern(pattern: string): Pattern {
  const reason = whyRefused(pattern, 'u')
  if (reason === undefined) return { source: pattern }

  const isReadable = whyRefused(pattern, '') === undefined
  const source = withoutNeedlessEscapes(pattern)
  const isPlain = isReadable && whyRefused(source, 'u') === undefined
  return isPlain ? { source } : { source: pattern, reason }
}

function whyRefused(pattern: string, flags: string): string | undefined {
  try {
    new RegExp(pattern, flags)
    return undefined
  } catch (error) {
    // For example "Invalid regular expression: /(/u: Unterminated group".
    const { message } = error as Error
    return message.slice(message.lastIndexOf(': ') + 2)
  }
}

/** An escape, such as `\_`; an opened class, such as `[`; a quantifier, such as `{2,3}`; or a bracket. */
const TOKEN = /\\[\s\S]|\{\d+(?:,\d*)?\}|[[\]{}]/gu

/** A character that is written with a backslash only because nothing else could be meant. */
const NEEDLESS_ESCAPE = /^\\[^\w\s^$\\.*+?()[\]{}|/-]$|^\\_$|^\\ $/u

/** Writes what only the flag `u` refuses in the way that it accepts. */
function withoutNeedlessEscapes(pattern: string): string {
  let isInClass = false

  return pattern.replace(TOKEN, (token) => {
    if (token.length > 1) return plainEscape(token, isInClass)

    const isBracketOfText = isInClass ? false : token !== '['
    if (token === '[') isInClass = true
    if (token === ']') isInClass = false
    return isBracketOfText ? `\\${token}` : token
  })
}

/** Returns an escape, or the character that it stands for. */
function plainEscape(token: string, isInClass: boolean): string {
  const isHyphen = token === '\\-' && !isInClass
  return isHyphen || NEEDLESS_ESCAPE.test(token) ? token.slice(1) : token
}
