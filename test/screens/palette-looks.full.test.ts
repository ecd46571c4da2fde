// The palette, the list of shortcuts and the header, in either theme, on a desktop and on a phone.
import { answerSearch } from '../support/answers/search.ts'
import { answerEveryScreen } from '../support/answers/shell.ts'
import { expectFocused, expectGone, expectVisible } from '../support/browser-expect.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers } from '../support/browser-accessible.ts'
import { field, header, openPalette, option, palette, shortcuts } from '../support/palette.ts'
import { expect, test } from '../support/screen-test.ts'

test.for([
  ['as it opens', ''],
  ['with results', 'lamp'],
  ['with nothing found', 'no such thing'],
])('the palette is accessible, %s', async ([, typed], { desk, open }) => {
  answerSearch(desk)
  const page = await open('/dashboard', { theme: 'light' })
  await openPalette(page, typed)
  if (typed === 'lamp') await expectVisible(option(page, 'oak lamp 140 clicks'))
  if (typed === 'no such thing') await expectVisible(palette(page).getByText(/^No keywords or pages/))
  await expectAccessible(page)
  await page.evaluate(() => document.documentElement.classList.replace('light', 'dark'))
  await expectAccessible(page, ['color-contrast'])
})

test('on a phone it fills the window, and opens with a button', async ({ desk, open }) => {
  answerSearch(desk)
  const page = await open('/dashboard', { width: 375, height: 812, touch: true })
  await header(page).getByRole('button', { name: 'Search' }).tap()
  await expectFocused(field(page))
  expect(await palette(page).boundingBox()).toEqual({ x: 0, y: 0, width: 375, height: 812 })
  await field(page).fill('lamp')
  await expectVisible(option(page, 'oak lamp 140 clicks'))
  await expectWithinWindow(page)
  await expectAccessible(page)
  expect(await tooSmallForFingers(page)).toEqual([])
  await palette(page).getByRole('button', { name: 'Close' }).tap()
  await expectGone(palette(page))
  await expectFocused(header(page).getByRole('button', { name: 'Search' }))
})

test('the list of shortcuts fits as well', async ({ desk, open }) => {
  answerEveryScreen(desk)
  const page = await open('/dashboard', { theme: 'light' })
  await expectVisible(header(page))
  await page.keyboard.press('?')
  await expectVisible(shortcuts(page))
  await expectAccessible(page)
  await page.evaluate(() => document.documentElement.classList.replace('light', 'dark'))
  await expectAccessible(page, ['color-contrast'])
  await page.setViewportSize({ width: 320, height: 700 })
  await expectWithinWindow(page)
})

test('the header keeps its height while it loads the last update, from 320 to 1,920 px', async ({ desk, open }) => {
  answerEveryScreen(desk)
  for (const width of [320, 375, 768, 1024, 1920]) {
    const { release } = desk.hold('GET /api/sync')
    const page = await open('/account', { width })
    await expectVisible(page.getByRole('heading', { name: 'Account', level: 1 }))
    const height = async () => (await header(page).boundingBox())?.height
    const before = await height()
    release()
    await expectVisible(page.getByText('complete through'))
    expect(await height(), `at ${width} px`).toBe(before)
    await expectWithinWindow(page)
  }
})
