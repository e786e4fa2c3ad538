/**
 * In development: shows in red only the lines with a mistake. Vite's overlay sets a message as a whole
 * in red, with all the lines around each mistake. The server sends one line with `>`, and one with `^`.
 */

/** As `report/problems.ts` formats a line with a mistake: "  > 418 |   "type": "e-mail"," */
const MISTAKE = /^ *> *\d+ \|/

/** The line below it: "        |           ^^^^^^^^" */
const MARKS = /^ *\| *\^+$/

/** The color of the other texts of the overlay. */
const PLAIN = 'var(--window-color)'

function paint() {
  const overlay = document.querySelector('vite-error-overlay')
  const message = overlay?.shadowRoot?.querySelector<HTMLElement>('.message-body')
  const lines = message?.textContent?.split('\n') ?? []
  if (!message || !lines.some((line) => MISTAKE.test(line))) return

  const painted = lines.map((line) => {
    const span = document.createElement('span')
    const isMistake = MISTAKE.test(line) || MARKS.test(line)
    span.style.color = isMistake ? 'var(--red)' : PLAIN
    span.textContent = `${line}\n`
    return span
  })
  message.replaceChildren(...painted)
}

// Vite's client announces an error, then shows it.
import.meta.hot?.on('vite:error', () => setTimeout(paint))
// It may have shown one before this ran.
paint()
