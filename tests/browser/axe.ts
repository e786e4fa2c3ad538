/** Checks a screen with axe, by WCAG 2.2 AA: narrow and wide, light and dark. */
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page as Tab } from '@playwright/test'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
// The dark screen differs from the light one only in its colors. These are all rules on colors.
export const ON_COLOURS = ['color-contrast', 'link-in-text-block']

/** @returns each element that breaks a rule, and the rule */
export async function faultsOf(tab: Tab): Promise<string[]> {
  const faults: string[] = []
  for (const width of [320, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.setViewportSize({ width, height: 800 })
      await tab.emulateMedia({ colorScheme })
      // Without it, axe opens another tab each time, for documents with frames of other sites.
      const axe = new AxeBuilder({ page: tab }).setLegacyMode()
      if (colorScheme === 'light') axe.withTags(WCAG)
      else axe.withRules(ON_COLOURS)
      const { violations, passes } = await axe.analyze()
      expect(passes.map(({ id }) => id)).toContain('color-contrast')
      for (const { id, nodes } of violations) {
        for (const { html } of nodes) faults.push(`${id} (${colorScheme}, ${width}px): ${html}`)
      }
    }
  }
  return faults
}
