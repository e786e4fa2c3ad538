/** Checks a screen with axe: narrow and wide, light and dark. */
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page as Tab } from '@playwright/test'
import { isLong } from '../long.ts'

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

// What depends on the width alone, or on the colors alone, shows in the first two.
const LOOKS = [
  [320, 'light'],
  [1280, 'dark'],
  ...(isLong
    ? ([
        [320, 'dark'],
        [1280, 'light'],
      ] as const)
    : []),
] as const

/**
 * Checks a screen by WCAG 2.2 AA.
 *
 * @param tags of further rules
 * @returns each element that breaks a rule, and the rule
 */
export async function faultsOf(tab: Tab, ...tags: string[]): Promise<string[]> {
  const faults: string[] = []
  for (const [width, colorScheme] of LOOKS) {
    await tab.setViewportSize({ width, height: 800 })
    await tab.emulateMedia({ colorScheme })
    const { violations, passes } = await new AxeBuilder({ page: tab })
      // One element for each rule that passes: to describe all takes as long as to check them.
      .options({ resultTypes: ['violations'] })
      .withTags([...WCAG_22_AA, ...tags])
      // Without it, axe opens another tab each time, for documents with frames of other sites.
      .setLegacyMode()
      .analyze()
    expect(passes.map(({ id }) => id)).toContain('color-contrast')
    for (const { id, nodes } of violations) {
      for (const { html } of nodes) faults.push(`${id} (${colorScheme}, ${width}px): ${html}`)
    }
  }
  return faults
}
