import { join } from 'node:path'
import { test } from '@playwright/test'
import { withThreeFields } from './dataset.ts'

const FOLDER = join(import.meta.dirname, '../../.github/screenshots')
const SCREENS = { index: '/', page: withThreeFields.path }

test.use({ viewport: { width: 1000, height: 1000 }, deviceScaleFactor: 1.5 })

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme })
    for (const [name, path] of Object.entries(SCREENS)) {
      test(name, async ({ page: tab }) => {
        await tab.goto(path)
        await tab.locator('h1').waitFor()
        await tab.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`) })
      })
    }
  })
}
