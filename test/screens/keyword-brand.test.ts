// Brand terms, and how much comes through them: the tab "Brand" of Keyword Opportunities.
import type { Page } from 'playwright-core'
import { wide } from '../support/analytics-screens.ts'
import { figuresOf, keywordOf, listed } from '../support/answers/analytics.ts'
import { brandSplitOf, keepBrand } from '../support/answers/brand.ts'
import {
  expectAddress,
  expectAttribute,
  expectCount,
  expectFocused,
  expectText,
  expectToast,
  expectValue,
  expectVisible,
} from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

const address = '/keyword-opportunities?tab=brand'
const terms = (page: Page) => page.getByRole('list', { name: 'Brand terms' }).getByRole('listitem')
const field = (page: Page) => page.getByRole('textbox', { name: 'Add a term' })
const remove = (page: Page, term: string) => page.getByRole('button', { name: `Remove ${term}`, exact: true })
const isShown = (page: Page) => expectVisible(page.getByRole('table', { name: 'Brand and non-brand keywords' }), field(page))
const cellsOf = (page: Page, side: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: side }) })
    .getByRole('cell')

test(
  'clicks and impressions of brand, non-brand and anonymized keywords, their shares, and the days of the first two',
  { tags: ['full'] },
  async ({ desk, open }) => {
    keepBrand(desk, { terms: ['loom'], suggested: false })
    const page = await open(address, wide)
    await isShown(page)
    for (const [side, clicks, share, impressions] of [
      ['Brand Keywords with', '56 previously 42 Up 33.3%', '35%', '70 previously 70 Unchanged, 0.0%'],
      ['Non-brand', '91 previously 91 Unchanged, 0.0%', '57%', '819 previously 840 Down 2.5%'],
      ['Anonymized', '14 previously 16 Down 12.5%', '9%', '140 previously 150 Down 6.7%'],
    ] as const) {
      await expectText(cellsOf(page, side).nth(0), clicks)
      await expectText(cellsOf(page, side).nth(1), share)
      await expectText(cellsOf(page, side).nth(2), impressions)
    }
    await page.getByRole('button', { name: 'Show as table: Brand vs. non-brand clicks' }).click()
    const days = page.getByRole('dialog').getByRole('table').locator('tbody tr')
    await expectText(days.first(), '16 Mar 2026 8 13')
    await expectCount(days, 7)
    await page.keyboard.press('Escape')
    await page.getByRole('group', { name: 'Chart metric' }).getByText('Impressions').click()
    await expectAddress(page, `${address}&metric=impressions`)
    await expectVisible(page.getByRole('figure', { name: 'Brand vs. non-brand impressions' }))
  },
)

test('suggested terms say so until they are saved', { tags: ['full'] }, async ({ desk, open }) => {
  const kept = keepBrand(desk, { terms: ['lumen', 'loom'], suggested: true })
  const page = await open(address, wide)
  await expectVisible(page.getByText('Suggested', { exact: true }))
  await expectText(terms(page).first(), /^lumen ?, suggested$/)
  await page.getByRole('button', { name: 'Keep these terms' }).click()
  await expectToast(page, 'success', 'Brand Terms Saved')
  await expectText(terms(page).first(), 'lumen')
  await expectFocused(field(page))
  expect(kept.list).toEqual({ terms: ['lumen', 'loom'], suggested: false })
  await expect.poll(() => desk.asked('PUT /api/brand').map(({ body }) => body)).toEqual([{ terms: ['lumen', 'loom'] }])
})

test('an added term takes effect immediately and everywhere: earlier requests are repeated', { tags: ['full'] }, async ({ desk, open }) => {
  const kept = keepBrand(desk, { terms: ['loom'], suggested: false })
  const ofBrand = (query: string) => kept.list.terms.some((term) => query.includes(term))
  desk.answer('GET /api/keywords', ({ query }) =>
    listed(
      ['oak lamp', 'loom lamp'].map((each) => keywordOf(each, figuresOf(56, 700, 6), { brand: ofBrand(each) })),
      query,
    ),
  )
  desk.answer('GET /api/brand/split', ({ query }) =>
    brandSplitOf(query, { brand: { ...figuresOf(ofBrand('oak lamp') ? 112 : 56, 770, 3), previous: null } }),
  )
  const page = await open('/keyword-opportunities?tab=analysis', wide)
  const oak = page.getByRole('row').filter({ hasText: 'oak lamp' })
  await expectVisible(oak)
  await expectCount(oak.getByText('Brand', { exact: true }), 0)
  await page.getByRole('tab', { name: 'Brand' }).click()
  await field(page).fill('  OAK ')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expectText(terms(page).last(), 'oak')
  await expectText(cellsOf(page, 'Brand Keywords with').first(), /^112 /)
  await page.getByRole('tab', { name: 'Keyword Analysis' }).click()
  await expectVisible(oak.getByText('Brand', { exact: true }))
  expect(kept.list.terms).toEqual(['loom', 'oak'])
})

test('by keyboard alone: an invalid term is reported at the field', { tags: ['full'] }, async ({ desk, open }) => {
  const kept = keepBrand(desk, { terms: ['brass', 'oak'], suggested: false })
  const page = await open(address, wide)
  await expectVisible(terms(page))
  await field(page).focus()
  await page.keyboard.type('a')
  await page.keyboard.press('Enter')
  await expectVisible(page.getByText('A brand term needs at least 2 characters'))
  await expectAttribute(field(page), 'aria-invalid', 'true')
  await expectFocused(field(page))
  await field(page).fill('Oak')
  await page.keyboard.press('Enter')
  await expectVisible(page.getByText('“oak” is already on the list'))
  await field(page).fill('x'.repeat(101))
  await page.keyboard.press('Enter')
  await expectVisible(page.getByText('A brand term can have up to 100 characters'))
  await field(page).fill('<b>bold</b>')
  await page.keyboard.press('Enter')
  await expectText(terms(page).last(), '<b>bold</b>')
  await expectValue(field(page), '')
  await expect.poll(() => kept.list.terms).toEqual(['brass', 'oak', '<b>bold</b>'])
})

test(
  'by keyboard alone: removing a term moves the focus on, to the field when none is left',
  { tags: ['full'] },
  async ({ desk, open }) => {
    const kept = keepBrand(desk, { terms: ['brass', 'oak', 'walnut'], suggested: false })
    const page = await open(address, wide)
    await remove(page, 'oak').focus()
    await page.keyboard.press('Enter')
    await expectFocused(remove(page, 'walnut'))
    await page.keyboard.press('Enter')
    await expectFocused(remove(page, 'brass'))
    await page.keyboard.press('Enter')
    await expectVisible(page.getByText('No brand terms yet. Every keyword counts as non-brand.'))
    await expectFocused(field(page))
    await expect.poll(() => kept.list).toEqual({ terms: [], suggested: false })
  },
)

test(
  'the focus stays next to the removed term while that is saved and the figures are reloaded',
  { tags: ['full'] },
  async ({ desk, open }) => {
    keepBrand(desk, { terms: ['brass', 'oak', 'walnut'], suggested: false })
    const page = await open(address, wide)
    await isShown(page)
    const saving = desk.hold('PUT /api/brand')
    const reloading = desk.hold('GET /api/brand/split')
    await remove(page, 'oak').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => terms(page).allInnerTexts()).toEqual(['brass', 'walnut'])
    await expectFocused(remove(page, 'walnut'))
    saving.release()
    await expectToast(page, 'success', 'Brand Terms Saved')
    await expect.poll(() => desk.asked('GET /api/brand/split').length).toBe(2)
    await expectFocused(remove(page, 'walnut'))
    desk.answer('GET /api/brand/split', ({ query }) => brandSplitOf(query, { brand: { ...figuresOf(49, 70, 1), previous: null } }))
    reloading.release()
    await expectText(cellsOf(page, 'Brand Keywords with').first(), /^49 /)
    await expectFocused(remove(page, 'walnut'))
  },
)

test("the focus isn't lost when several terms leave the list at once", { tags: ['full'] }, async ({ desk, open }) => {
  const kept = keepBrand(desk, { terms: ['brass', 'oak', 'walnut'], suggested: false })
  const page = await open(address, wide)
  await expectVisible(terms(page))
  // Before the list is rendered without the first, as on a busy machine.
  await page.evaluate(() => {
    for (const term of ['oak', 'walnut']) {
      const button = document.querySelector<HTMLButtonElement>(`[aria-label="Remove ${term}"]`)
      button?.focus()
      button?.click()
    }
  })
  await expect.poll(() => terms(page).allInnerTexts()).toEqual(['brass'])
  await expectFocused(remove(page, 'brass'))
  await expect.poll(() => kept.list.terms).toEqual(['brass'])
})

test('terms removed by the server move the focus on, too', { tags: ['full'] }, async ({ desk, open }) => {
  keepBrand(desk, { terms: ['brass', 'oak', 'walnut'], suggested: false })
  const page = await open(address, wide)
  const saving = desk.hold('PUT /api/brand')
  await remove(page, 'brass').focus()
  await page.keyboard.press('Enter')
  await expectFocused(remove(page, 'oak'))
  // Somebody else removed that one meanwhile.
  desk.answer('PUT /api/brand', { terms: ['walnut'], suggested: false })
  saving.release()
  await expect.poll(() => terms(page).allInnerTexts()).toEqual(['walnut'])
  await expectFocused(remove(page, 'walnut'))
})

test("a change that can't be saved is undone, and reported", { tags: ['full'] }, async ({ desk, open }) => {
  const kept = keepBrand(desk, { terms: [], suggested: false })
  const page = await open(address, wide)
  await expectVisible(page.getByText('No brand terms yet. Every keyword counts as non-brand.'))
  const saving = desk.hold('PUT /api/brand')
  desk.cut('PUT /api/brand')
  await field(page).fill('brass')
  await page.keyboard.press('Enter')
  // It shows before the server has answered.
  await expectText(terms(page), 'brass')
  saving.release()
  await expectToast(page, 'error', 'Brand Terms Not Saved', 'The brand terms could not be saved. Please try again.')
  await expectVisible(page.getByText('No brand terms yet. Every keyword counts as non-brand.'))
  expect(kept.list.terms).toEqual([])
})
