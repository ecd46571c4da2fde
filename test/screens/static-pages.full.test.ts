// The same as static-pages, for both themes at every width: the reference alone is long, and every line of it is checked.
import { expectAccessible } from '../support/browser-accessible.ts'
import { describe, test } from '../support/screen-test.ts'
import { staticPages, visit } from '../support/static-pages.ts'

describe.for(staticPages)('%s', (address) => {
  test.for(['light', 'dark'] as const)('is accessible in the %s theme, on a desktop and on a phone', async (theme, { open }) => {
    const page = await visit(open, address, { theme, width: 1_440, height: 900 })
    await expectAccessible(page)
    await page.setViewportSize({ width: 375, height: 812 })
    await expectAccessible(page)
  })
})
