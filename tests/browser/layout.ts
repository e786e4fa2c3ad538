/** Finds text that does not fit: at every width, with wide letters, and twice as large. */
import type { Page as Tab } from '@playwright/test'
import { isLong } from '../helpers/long.ts'

/** The narrowest of each arrangement, and a wide one; in `npm run test:long`, some between them. */
const WIDTHS = isLong ? [280, 320, 375, 639, 640, 768, 1280] : [280, 320, 375, 640, 1280]

/** Letters spaced by 0.25em are wider than those of any text font, whichever the machine has. */
const TEXTS = {
  'as it is': '',
  spaced: '* { letter-spacing: 0.25em !important; word-spacing: 0.16em !important }',
  'twice as large': ':root { font-size: 200% }',
  both: ':root { font-size: 200% } * { letter-spacing: 0.25em; word-spacing: 0.16em }',
}

/** Returns each place where the current document is clipped or scrolls sideways. */
export async function misfitsOf(tab: Tab): Promise<string[]> {
  const misfits: string[] = []
  for (const [text, style] of Object.entries(TEXTS)) {
    await tab.evaluate((style) => {
      // The Content Security Policy allows no <style>.
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(style)
      document.adoptedStyleSheets = [sheet]
    }, style)
    for (const width of WIDTHS) {
      // WCAG 1.4.4 and 1.4.10 ask for no less.
      if (style.includes('200%') && width < 320) continue
      await tab.setViewportSize({ width, height: 800 })
      const found = await tab.evaluate(findMisfits)
      // Text of both kinds may take more lines. So may large text on the narrowest window: the words
      // of other languages are longer than English ones. Spaced letters may break words and cut what a
      // field shows until it's filled in.
      const mayWrap = text === 'both' || (text === 'twice as large' && width === 320)
      const isSpaced = style.includes('letter-spacing')
      const counted = found
        .filter((misfit) => !mayWrap || !misfit.endsWith('lines'))
        .filter((misfit) => !isSpaced || !/(?:broken|cut)$/.test(misfit))
      misfits.push(...counted.map((misfit) => `${width}px, ${text}: ${misfit}`))
    }
  }
  return misfits
}

/** Runs in the browser, so that all it calls is in it. */
function findMisfits(): string[] {
  const misfits: string[] = []
  scrollTo(1000, 0)
  if (scrollX > 0) misfits.push(`the document scrolls sideways by ${scrollX}px`)

  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    if (element.matches('input:enabled, select')) findLowControl(element)
    if (element instanceof HTMLSelectElement) findWideOptions(element)
    else findOverflow(element)

    if (element.matches('h1, button')) findBrokenWord(element)
    if (element.matches('input:enabled[placeholder]'))
      findCutPlaceholder(element as HTMLInputElement)

    // What is above the cards moves nothing when it wraps.
    const isStatus = element.matches('.filter [role="status"]')
    if (isStatus && document.querySelector('.card')) findManyLines(element)
  }
  return misfits

  /** Finds a control that is lower than its text. */
  function findLowControl(element: HTMLElement) {
    const { fontSize, paddingTop, paddingBottom } = getComputedStyle(element)
    const size = parseFloat(fontSize)
    const room = element.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom)

    // The tallest letters of a text font, from the top of an accent to the end of a "g".
    if (room < 1.5 * size)
      misfits.push(`a ${element.localName} is ${room}px high, its text ${size}px`)
  }

  /** Finds the options of a select that are wider than it. */
  function findWideOptions(select: HTMLSelectElement) {
    const { font, letterSpacing, wordSpacing, paddingLeft, paddingRight } = getComputedStyle(select)
    const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)

    // On a line of its own, a long option may wrap: then its longest word must fit.
    const line = select.closest('form')?.clientWidth ?? 0
    const hasOwnLine = select.offsetWidth > line - 2 || select.matches('.field select')
    const inlineSize = hasOwnLine ? 'min-content' : 'max-content'

    for (const { text } of select.options) {
      const span = document.createElement('span')
      Object.assign(span.style, { position: 'absolute', inlineSize })
      Object.assign(span.style, { font, letterSpacing, wordSpacing })
      span.textContent = text
      document.body.append(span)
      const lacking = span.getBoundingClientRect().width - room
      span.remove()

      // Chromium rounds the width of a select.
      if (lacking > 1) misfits.push(`the option ${text} lacks ${lacking.toFixed(1)}px`)
    }
  }

  /** Finds an element whose content is wider than it. */
  function findOverflow(element: HTMLElement) {
    const { display, overflowX } = getComputedStyle(element)
    // A control for text scrolls, and so does what is made to.
    const mayScroll = element.matches('input, textarea') || overflowX === 'auto'
    if (mayScroll || display === 'inline') return

    const lacking = element.scrollWidth - element.clientWidth
    if (lacking > 0)
      misfits.push(`<${element.localName} class="${element.className}"> lacks ${lacking}px`)
  }

  /** Finds a word that is broken. A long one may be hyphenated. */
  function findBrokenWord(element: HTMLElement) {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode as Text
      for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const isBroken = range.getClientRects().length > 1
        if (isBroken && word.length < 12) misfits.push(`"${word}" is broken`)
      }
    }
  }

  /** Finds a field whose placeholder is wider than it. */
  function findCutPlaceholder(input: HTMLInputElement) {
    const { paddingLeft, paddingRight, fontFamily } = getComputedStyle(input)
    const { fontSize, letterSpacing, wordSpacing } = getComputedStyle(input, '::placeholder')
    const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)

    const span = document.createElement('span')
    Object.assign(span.style, { position: 'absolute', whiteSpace: 'pre' })
    Object.assign(span.style, { fontFamily, fontSize, letterSpacing, wordSpacing })
    span.textContent = input.placeholder.trim()
    document.body.append(span)
    const lacking = span.getBoundingClientRect().width - room
    span.remove()
    if (lacking > 1) misfits.push(`the placeholder ${input.placeholder} is cut`)
  }

  /** Finds a line of text that wraps. */
  function findManyLines(element: HTMLElement) {
    const range = document.createRange()
    range.selectNodeContents(element)
    const lines = new Set([...range.getClientRects()].map(({ top }) => top))
    if (lines.size > 1) misfits.push(`"${element.textContent}" has ${lines.size} lines`)
  }
}
