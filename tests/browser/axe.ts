/** Checks a screen with axe: narrow and light; in `npm run test:long` also wide, dark and in forced colors. */
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page as Tab } from '@playwright/test'
import { isLong } from '../helpers/long.ts'

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

type Look = readonly [width: number, colorScheme: 'light' | 'dark', forcedColors: 'none' | 'active']

/** One is enough: the system sets the colors, and what depends on the width shows without them. */
const FORCED_COLORS: readonly Look[] = [[320, 'light', 'active']]

const MORE: readonly Look[] = [
  [1280, 'dark', 'none'],
  [320, 'dark', 'none'],
  [1280, 'light', 'none'],
  ...FORCED_COLORS,
]

/** Most of what axe finds depends neither on the width nor on the colors. */
const LOOKS: readonly Look[] = [[320, 'light', 'none'], ...(isLong ? MORE : [])]

interface Choice {
  /** The tags of further rules. */
  tags?: string[]
  /** The only rule to check. */
  rule?: string
  /** Whether to check the screen in forced colors only. */
  isForced?: boolean
}

/**
 * Checks a screen by WCAG 2.2 AA.
 *
 * @returns each element that breaks a rule, and the rule
 */
export async function faultsOf(
  tab: Tab,
  { tags = [], rule, isForced = false }: Choice = {},
): Promise<string[]> {
  const faults: string[] = []
  for (const [width, colorScheme, forcedColors] of isForced ? FORCED_COLORS : LOOKS) {
    await tab.setViewportSize({ width, height: 800 })
    await tab.emulateMedia({ colorScheme, forcedColors })
    const axe = new AxeBuilder({ page: tab })
      // One element for each rule that passes: to describe all takes as long as to check them.
      .options({ resultTypes: ['violations'] })
      // Without it, axe opens another tab each time, for documents with frames of other sites.
      .setLegacyMode()
    if (rule !== undefined) axe.withRules(rule)
    else axe.withTags([...WCAG_22_AA, ...tags])
    // The system sets forced colors; axe reads those of the style sheet.
    if (forcedColors === 'active') axe.disableRules('color-contrast')

    const { violations, passes } = await axe.analyze()
    const checked = forcedColors === 'active' ? 'document-title' : 'color-contrast'
    expect(passes.map(({ id }) => id)).toContain(rule ?? checked)
    for (const { id, nodes } of violations) {
      for (const { html } of nodes)
        faults.push(`${id} (${[width, colorScheme, forcedColors]}): ${html}`)
    }
  }
  return faults
}
