import type { Page } from 'playwright-core'
import { Refusal } from '../../src/server/common/errors.ts'
import { agency, agencySites, siteOf } from '../support/answers/sites.ts'
import type { Desk } from '../support/answers/desk.ts'
import { blog } from '../support/answers/shell.ts'
import { shop, shopName, userOf } from '../support/answers/usual.ts'
import { expectAddress, expectCount, expectFocused, expectGone, expectToast, expectVisible } from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

const table = (page: Page) => page.getByRole('region', { name: 'All sites' })
const row = (page: Page, name: string) => table(page).locator(`tr[data-site="${name}"]`)
const shown = (page: Page) => page.locator('[data-site]').evaluateAll((rows) => rows.map((each) => each.getAttribute('data-site')))
const names = (count?: number) => agencySites.slice(0, count).map(({ name }) => name)

const cells = (page: Page, name: string) =>
  row(page, name)
    .locator('td')
    .evaluateAll((all) => all.map((cell) => (cell as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim()))

describe('all sites', () => {
  test('a row has figures and their change, open alerts, the last complete day and what is wrong', async ({ desk, open }) => {
    agency(desk)
    const page = await open('/sites', { width: 1440 })
    await expectVisible(
      row(page, shop).getByText('domain', { exact: true }),
      row(page, shop).getByRole('img', { name: /^Clicks by day, 17 Feb–16 Mar: \d+ to \d+$/ }),
    )
    expect((await cells(page, shop)).slice(1)).toEqual([
      '1,204',
      'Up 20.4%',
      '24,080',
      'Up 0.3%',
      '8.2',
      'Improved 0.8',
      'Critical 3 open alerts',
      'Complete through 16 Mar',
    ])
    expect((await cells(page, names()[1]!)).slice(1, 7)).toEqual(['300', 'Down 25.0%', '9,000', 'Up 12.5%', '6.4', 'Dropped 1.3'])
    const troubles = {
      'sc-domain:importing.example': 'Importing 40%',
      'https://cut-off.example/': 'Complete through 20 Jan Reconnect Google',
      'https://paused.example/': 'Complete through 16 Mar Paused: site limit Choose sites',
      'https://not-verified.example/': 'No access',
    }
    for (const [name, words] of Object.entries(troubles)) expect((await cells(page, name)).at(-1), name).toBe(words)
  })

  test('better is green and worse is red, for positions as well', { tags: ['full'] }, async ({ desk, open }) => {
    agency(desk)
    const page = await open('/sites', { width: 1440 })
    const colors = (name: string) =>
      row(page, name)
        .locator('[data-color]')
        .evaluateAll((marks) => marks.map((mark) => mark.getAttribute('data-color')))
    await expectVisible(row(page, shop))
    expect(await colors(shop)).toEqual(['green', 'green', 'green'])
    expect(await colors(names()[1]!)).toEqual(['red', 'green', 'red'])
  })

  test('the total counts overlaps once, leaves out old data, and says so', async ({ desk, open }) => {
    agency(desk)
    const page = await open('/sites', { width: 1440 })
    const sum = table(page).getByRole('row', { name: /^All sites/ })
    await expectVisible(sum.getByText('1,926', { exact: true }))
    await expectVisible(
      page.getByText('Counted once, as part of another property listed here: https://lumenandloom.example/journal/.'),
      page.getByText('Not included because their data ends earlier: https://cut-off.example/.'),
      page.getByText('No comparison: some sites have no data for the previous 7 days.'),
    )
    // Without the domain, its part counts separately.
    await page.getByRole('textbox', { name: 'Search sites' }).fill('journal')
    await expectVisible(
      page.getByText('2 of 9 sites'),
      table(page)
        .getByRole('row', { name: /^These sites/ })
        .getByText('940', { exact: true }),
    )
  })
})

describe('the order', () => {
  test('is by clicks at first; a column sorts by value or by change, and the URL keeps it', async ({ desk, open }) => {
    agency(desk)
    const page = await open('/sites', { width: 1440 })
    await expect.poll(async () => (await shown(page)).slice(0, 2)).toEqual(['https://cut-off.example/', shop])
    await page.getByRole('button', { name: 'Change in clicks' }).click()
    await page.getByRole('button', { name: 'Change in clicks' }).click()
    await expectAddress(page, '/sites?sort=clicksChange&order=asc')
    await expect.poll(async () => (await shown(page))[0]).toBe(names()[1])
    await page.reload()
    await expect.poll(async () => (await shown(page))[0]).toBe(names()[1])
    await expectVisible(page.getByRole('columnheader', { name: 'Change in clicks' }).and(page.locator('[aria-sort=ascending]')))
    await page.getByRole('button', { name: 'Open alerts' }).click()
    await expect.poll(async () => (await shown(page)).slice(0, 2)).toEqual([shop, blog])
    await page.getByRole('button', { name: 'Complete through', exact: true }).click()
    await expect.poll(async () => (await shown(page))[0]).toBe('https://cut-off.example/')
  })

  test('is selected from a list on screens without columns', { tags: ['full'] }, async ({ desk, open }) => {
    agency(desk)
    const page = await open('/sites', { width: 375, height: 812 })
    await page.getByRole('combobox', { name: 'Sort by' }).click()
    await page.getByRole('option', { name: 'Name' }).click()
    await expectAddress(page, '/sites?sort=name&order=asc')
    await expect.poll(async () => (await shown(page))[0]).toBe(names()[7])
  })
})

describe('a site', () => {
  test('becomes the selected property when clicked, and opens its dashboard', async ({ desk, open }) => {
    agency(desk)
    desk.answer('POST /api/gsc-properties/select', { user: userOf({ selectedProperty: blog }) })
    const page = await open('/sites', { width: 1440 })
    await row(page, blog).locator('td').nth(3).click()
    await expectAddress(page, '/dashboard')
    await expectToast(page, 'success', 'Property Selected', blog)
    expect(desk.asked('POST /api/gsc-properties/select')[0]?.body).toEqual({ selectedProperty: blog })
  })

  test('can be reached and opened by keyboard', { tags: ['full'] }, async ({ desk, open }) => {
    agency(desk)
    desk.answer('POST /api/gsc-properties/select', { user: userOf({ selectedProperty: blog }) })
    const page = await open('/sites?sort=name&order=asc', { width: 1440 })
    const link = (name: string) => row(page, name).locator('[data-site-link]')
    await expectVisible(link(shop))
    await page.keyboard.press('j')
    await expectFocused(link('https://cut-off.example/'))
    for (const key of ['j', 'j', 'j', 'k', 'j', 'j', 'j', 'j']) await page.keyboard.press(key)
    await expectFocused(link(blog))
    await page.keyboard.press('Enter')
    await expectAddress(page, '/dashboard')
  })

  test("that isn't monitored only opens by its own button, and the plan may refuse that", async ({ desk, open }) => {
    agency(desk)
    desk.answer('POST /api/gsc-properties/select', () => {
      throw new Refusal(403, 'Your Free plan allows up to 1 site(s).')
    })
    const page = await open('/sites', { width: 1440 })
    const name = names()[7]!
    await row(page, name).locator('td').nth(3).click()
    expect(desk.asked('POST /api/gsc-properties/select')).toEqual([])
    await row(page, name)
      .getByRole('button', { name: `Monitor ${name}` })
      .click()
    await expectToast(page, 'error', 'Error', 'Your Free plan allows up to 1 site(s).')
    await expectAddress(page, '/sites')
  })
})

describe('tags', () => {
  const saved = (desk: Desk) => desk.asked('PUT /api/sites/tags').map(({ body }) => (body as { tags: string[] }).tags)

  test('are added and removed, filter the list, and stay in the URL', async ({ desk, open }) => {
    agency(desk)
    desk.answer('PUT /api/sites/tags', ({ body }) => body as { property: string; tags: string[] })
    const page = await open('/sites', { width: 1440 })
    await row(page, blog)
      .getByRole('button', { name: `Tags for ${blog}` })
      .click()
    const editor = page.getByRole('dialog', { name: 'Tags' })
    await editor.getByRole('combobox', { name: 'New tag' }).fill(' eu ')
    await editor.getByRole('button', { name: 'Add' }).click()
    await editor.getByRole('button', { name: 'Remove Retail' }).click()
    await page.keyboard.press('Escape')
    await expectGone(editor)
    await expect.poll(() => saved(desk)).toEqual([['Retail', 'EU'], ['EU']])
    await row(page, blog).getByRole('button', { name: 'Show sites tagged EU' }).click()
    await expectAddress(page, '/sites?tag=EU')
    await expect.poll(() => shown(page)).toEqual([shop, blog])
    await page.goBack()
    await expectCount(page.locator('[data-site]'), agencySites.length)
  })

  test('edited while an earlier edit is being saved are saved after it', { tags: ['full'] }, async ({ desk, open }) => {
    agency(desk)
    desk.answer('PUT /api/sites/tags', ({ body }) => body as { property: string; tags: string[] })
    const held = desk.hold('PUT /api/sites/tags')
    const page = await open('/sites', { width: 1440 })
    await row(page, shop)
      .getByRole('button', { name: `Tags for ${shopName}` })
      .click()
    const editor = page.getByRole('dialog', { name: 'Tags' })
    await editor.getByRole('button', { name: 'Remove Retail' }).click()
    await editor.getByRole('combobox', { name: 'New tag' }).fill('Lamps')
    await editor.getByRole('button', { name: 'Add' }).click()
    await editor.getByRole('button', { name: 'Remove EU' }).click()
    await expectVisible(editor.getByRole('button', { name: 'Remove Lamps' }))
    await expectGone(editor.getByRole('button', { name: 'Remove EU' }))
    await expect.poll(() => saved(desk)).toEqual([['EU']])
    held.release()
    await expect.poll(() => saved(desk).slice(1)).toEqual([['Lamps'], ['Lamps']])
  })

  test('that are refused are reverted, with the reason', async ({ desk, open }) => {
    agency(desk)
    desk.refuse('PUT /api/sites/tags', 404, { message: `${blog} is not one of your properties.` })
    const page = await open('/sites', { width: 1440 })
    await row(page, blog)
      .getByRole('button', { name: `Tags for ${blog}` })
      .click()
    await page.getByRole('button', { name: 'Remove Retail' }).click()
    await expectToast(page, 'error', 'Tags Not Saved', `${blog} is not one of your properties.`)
    await expectVisible(page.getByRole('button', { name: 'Remove Retail' }))
  })
})

describe('states', () => {
  test('loading reserves the space, and nothing moves when the sites appear', { tags: ['full'] }, async ({ desk, open }) => {
    agency(desk)
    const held = desk.hold('GET /api/sites')
    const page = await open('/sites', { width: 1024 })
    await expectVisible(page.getByRole('status', { name: 'Loading sites' }))
    held.release()
    await expectVisible(table(page))
    const moved = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) =>
            resolve((list.getEntries() as (PerformanceEntry & { value: number })[]).reduce((sum, { value }) => sum + value, 0)),
          ).observe({ type: 'layout-shift', buffered: true })
          setTimeout(resolve, 500, 0)
        }),
    )
    expect(moved).toBeLessThanOrEqual(0.02)
  })

  test('a failure says what happened, and retrying helps', async ({ desk, open }) => {
    agency(desk)
    desk.refuse('GET /api/sites', 503, { message: 'The analytics store is away.' })
    const page = await open('/sites')
    await expectVisible(page.getByRole('alert').getByText('The analytics store is away.'))
    desk.answer('GET /api/sites', [siteOf()])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectVisible(table(page).getByText('1,204'))
  })

  test('without a match, one click leads back to all of them', { tags: ['full'] }, async ({ desk, open }) => {
    agency(desk)
    const page = await open('/sites?search=nowhere&tag=EU')
    await expectVisible(page.getByText('No site matches “nowhere” and the tag “EU”.'))
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expectAddress(page, '/sites')
    await expectCount(page.locator('[data-site]'), agencySites.length)
  })
})

test('header and names stay visible while the table scrolls', { tags: ['full'] }, async ({ desk, open }) => {
  agency(desk)
  desk.answer(
    'GET /api/sites',
    Array.from({ length: 40 }, (_, index) => siteOf({ name: `https://site-${index}.example/` })),
  )
  const page = await open('/sites', { width: 768, height: 700 })
  await expectVisible(table(page).locator('table[data-whole=true]'))
  await table(page).evaluate((region) => region.scrollTo(300, 900))
  const box = await table(page).boundingBox()
  const head = await page.getByRole('columnheader', { name: 'Site' }).boundingBox()
  expect([head?.x, head?.y]).toEqual([box!.x + 1, box!.y + 1])
})

test.for([768, 1_024])(
  'at %i px, every column is visible, with changes below their figures',
  { tags: ['full'] },
  async (width, { desk, open }) => {
    agency(desk)
    const page = await open('/sites', { width, height: 900 })
    await expectVisible(row(page, shop))
    expect(await table(page).evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
    expect((await cells(page, shop)).slice(1)).toEqual([
      '1,204 Up 20.4%',
      '24,080 Up 0.3%',
      '8.2 Improved 0.8',
      'Critical 3 open alerts',
      'Complete through 16 Mar',
    ])
    // Neither a name's mark nor a word covers something else.
    const cut = await table(page).evaluate((box) =>
      [...box.querySelectorAll<HTMLElement>('th, td')].filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.innerText),
    )
    expect(cut).toEqual([])
    // A name without a path is there as a whole.
    for (const name of ['lumenandloom.example', 'https://thecrumbjournal.example/', 'importing.example']) {
      const start = table(page).locator('.truncate', { hasText: new RegExp(`^${name.slice(0, -12)}$`) })
      expect(await start.evaluate((part) => part.scrollWidth - part.clientWidth)).toBe(0)
    }
    await page.getByRole('button', { name: 'Change in clicks' }).click()
    await expectAddress(page, '/sites?sort=clicksChange')
  },
)

test('in the grid, where no column header says what a day means, each card does', { tags: ['full'] }, async ({ desk, open }) => {
  agency(desk)
  const page = await open('/sites?view=grid', { width: 1440 })
  await expectVisible(page.locator(`li[data-site="${shop}"]`).getByText('Complete through 16 Mar', { exact: true }))
})

test('login leads to the sites if there are more than three, otherwise to the dashboard', async ({ desk, signIn, open }) => {
  agency(desk)
  const page = await open('/login')
  await expectAddress(page, '/sites')
  signIn({ sitesMonitored: 3 })
  await page.goto('/login')
  await expectAddress(page, '/dashboard')
})
