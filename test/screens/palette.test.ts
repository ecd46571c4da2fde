// The command palette's appearance, and its results. Its actions: palette-actions.
import { queryAlert } from '../support/answers/alerts.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import { answerSearch, found, longPage, searched, sofas } from '../support/answers/search.ts'
import { answerEveryScreen, newcomerOf } from '../support/answers/shell.ts'
import {
  expectAddress,
  expectAttribute,
  expectCount,
  expectFocused,
  expectGone,
  expectText,
  expectTexts,
  expectToast,
  expectValue,
  expectVisible,
} from '../support/browser-expect.ts'
import {
  box,
  choose,
  everythingAbout,
  expectInside,
  field,
  group,
  header,
  openPalette,
  option,
  optionsOf,
  palette,
} from '../support/palette.ts'
import { describe, expect, test } from '../support/screen-test.ts'

const placeholder = 'Search keywords, pages or metrics...'

describe('search box', { tags: ['full'] }, () => {
  test('is in the header between the property and help, and says what can be searched', async ({ desk, open }) => {
    answerEveryScreen(desk)
    const page = await open('/account')
    await expectVisible(box(page))
    await expectAttribute(box(page), 'placeholder', placeholder)
    const names = await header(page)
      .locator('button:visible, a:visible, input:visible')
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')?.replace(/:.*|,.*/, '')))
    expect(names).toEqual(['Property', 'Refresh', 'Last updated', 'Search', 'Help', 'Notifications', 'Theme', 'Account menu'])
  })

  test('opens by a click, by typing into it and by its keys, and returns the focus', async ({ desk, open }) => {
    answerSearch(desk)
    const page = await open('/account')
    await box(page).click()
    await expectFocused(field(page))
    await expectAttribute(field(page), 'placeholder', placeholder)
    await page.keyboard.press('Escape')
    await expectGone(palette(page))
    await expectFocused(box(page))

    await page.keyboard.type('ctr')
    await expectVisible(option(page, 'CTR Dashboard'))
    await expectValue(field(page), 'ctr')
    await page.keyboard.press('Escape')
    await expectFocused(box(page))
    await expectValue(box(page), '')

    const profile = page.getByRole('link', { name: 'Profile', exact: true })
    for (const keys of ['/', 'Control+k', 'Meta+k']) {
      await profile.focus()
      await page.keyboard.press(keys)
      await expectFocused(field(page))
      await expectValue(field(page), '')
      await page.keyboard.press('Escape')
      await expectFocused(profile)
    }

    const name = page.getByRole('textbox', { name: 'Username' })
    await name.focus()
    await page.keyboard.press('End')
    await page.keyboard.type('/')
    await expectValue(name, 'ann/')
    await page.keyboard.press('Control+k')
    await expectFocused(field(page))
    await page.keyboard.press('Control+k')
    await expectGone(palette(page))
    await expectFocused(name)
  })
})

test('what is typed right after its key is kept, although its code is still loading', { tags: ['full'] }, async ({ desk, open }) => {
  answerSearch(desk)
  const page = await open('/dashboard')
  await expectVisible(page.getByRole('region', { name: 'Position', exact: true }))
  const { promise: isTyped, resolve: typed } = Promise.withResolvers<void>()
  await page.route(/Palette/, async (route) => {
    await isTyped
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  // Not the shortcuts of screens.
  await page.keyboard.type('g dg')
  await page.keyboard.type('old')
  typed()
  await expectValue(field(page), 'g dgold')
  await page.keyboard.type(' lamp')
  await expectValue(field(page), 'g dgold lamp')
  await expectAddress(page, '/dashboard')
})

describe('keywords and pages', () => {
  test(
    'of the selected property, most clicks first, with matches highlighted and their clicks',
    { tags: ['full'] },
    async ({ desk, open }) => {
      answerSearch(desk)
      const page = await open('/dashboard')
      await openPalette(page, 'LAMP')
      await expectVisible(option(page, 'reading lamp 1,400 clicks'))
      expect(await optionsOf(page, 'Keywords')).toEqual(['reading lamp 1,400 clicks', 'oak lamp 140 clicks', 'sofa & lamp 50% 28 clicks'])
      await expectTexts(group(page, 'Keywords').locator('mark'), ['lamp', 'lamp', 'lamp'])
      await expectVisible(option(page, `${longPage} 1,540 clicks`), palette(page).getByText('Clicks, last 7 days'))
      await expectCount(group(page, 'Pages').getByRole('option'), 1)
      // Truncated in the middle, on one line, with a readable end.
      const { height } = (await group(page, 'Pages').getByRole('option').boundingBox()) ?? { height: 0 }
      expect(height).toBeLessThanOrEqual(40)
      await expectVisible(group(page, 'Pages').getByText('olor=natural', { exact: true }))
      await expectText(palette(page).getByRole('status').last(), '4 results')
      await expect.poll(() => desk.asked('GET /api/search').at(-1)?.query.get('property')).toBe(searched)
    },
  )

  test('a keyword opens the keyword analysis, filtered and with its details, over the days on screen', async ({ desk, open }) => {
    answerSearch(desk)
    const page = await open('/dashboard?range=16m&compare=year&grain=week')
    await openPalette(page, '50%')
    await expectVisible(palette(page).getByText('Clicks, last 16 months'))
    await option(page, 'sofa & lamp 50% 28 clicks').click()
    expect(Object.fromEntries(desk.asked('GET /api/search').at(-1)?.query ?? [])).toMatchObject({ range: '16m', compare: 'year' })
    await expectAddress(
      page,
      `/keyword-opportunities?tab=analysis&search=sofa+%26+lamp+50%25&keyword=sofa+%26+lamp+50%25&property=${encodeURIComponent(searched)}&range=16m&compare=year&grain=week`,
    )
    await expectGone(palette(page))
    await expectInside(everythingAbout(page, 'sofa & lamp 50%'))
  })

  test(
    'a page opens the page analytics, filtered and with its details; from elsewhere, over the days of the search',
    { tags: ['full'] },
    async ({ desk, open }) => {
      answerSearch(desk)
      const page = await open('/settings')
      await choose(page, 'sofas', `${sofas} 28 clicks`)
      expect(desk.asked('GET /api/search').at(-1)?.query.get('range')).toBe('28d')
      const name = encodeURIComponent(sofas)
      await expectAddress(page, `/page-analytics?search=${name}&page=${name}&range=28d`)
      await expectInside(everythingAbout(page, sofas))
    },
  )

  test('earlier choices are offered again, until the page is left', { tags: ['full'] }, async ({ desk, open }) => {
    answerSearch(desk)
    const page = await open('/dashboard')
    await choose(page, 'oak', 'oak lamp 140 clicks')
    await expectInside(everythingAbout(page, 'oak lamp'))
    await page.keyboard.press('Escape')
    await expectGone(everythingAbout(page, 'oak lamp'))
    await openPalette(page)
    expect(await optionsOf(page, 'Recent')).toEqual(['oak lamp'])
    await page.keyboard.press('Enter')
    await expectAddress(page, '/keyword-opportunities?tab=analysis&search=oak+lamp&keyword=oak+lamp')
    await page.goto('/dashboard')
    await openPalette(page)
    await expectCount(group(page, 'Recent'), 0)
  })

  test('an empty result says what was searched for, and where', { tags: ['full'] }, async ({ desk, open }) => {
    answerSearch(desk)
    const page = await open('/dashboard')
    await openPalette(page, '  no such thing ')
    await expectVisible(palette(page).getByText(`No keywords or pages match “no such thing” for ${searched} in the last 7 days.`))
    await expectCount(palette(page).getByRole('option'), 0)
    await page.keyboard.press('Enter')
    await expectVisible(palette(page))
  })

  test('a failed search says so, and can be retried; everything else works', { tags: ['full'] }, async ({ desk, open }) => {
    answerSearch(desk)
    desk.cut('GET /api/search')
    const page = await open('/dashboard')
    await openPalette(page, 'ctr')
    await expectVisible(palette(page).getByText('Unable to search keywords and pages'), option(page, 'CTR Dashboard'))
    desk.answer('GET /api/search', found)
    await field(page).fill('oak')
    await expectVisible(option(page, 'oak lamp 140 clicks'))

    desk.refuse('GET /api/search', 502, { message: 'The figures cannot be read now.' })
    await field(page).fill('reading')
    await expectVisible(palette(page).getByText(`${searched}: The figures cannot be read now.`))
    desk.answer('GET /api/search', found)
    await palette(page).getByRole('button', { name: 'Try again' }).click()
    await expectVisible(option(page, 'reading lamp 1,400 clicks'))
  })

  test(
    'while results load, matching earlier ones stay, dimmed; a request nobody waits for is aborted',
    { tags: ['full'] },
    async ({ desk, open }) => {
      answerSearch(desk)
      const never = new Promise<never>(() => {})
      desk.answer('GET /api/search', (asked) => (asked.query.get('q') === 'lam' ? never : found(asked)))
      const page = await open('/dashboard')
      await openPalette(page, 'la')
      await expectVisible(option(page, 'oak lamp 140 clicks'))
      const given: string[] = []
      page.on('requestfailed', (request) => given.push(new URL(request.url()).searchParams.get('q') ?? ''))
      const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('q') === 'lam')
      await field(page).fill('lam')
      await asked
      const first = group(page, 'Keywords').getByRole('option').first()
      const opacity = () => first.evaluate((element) => getComputedStyle(element).opacity)
      await expect.poll(opacity, { interval: 15 }).toBe('0.5')
      await field(page).fill('lamp')
      await expect.poll(opacity, { interval: 15 }).toBe('1')
      expect(given).toEqual(['lam'])
    },
  )

  test('without a property it says so, and everything else still works', { tags: ['full'] }, async ({ desk, signIn, open }) => {
    answerEveryScreen(desk)
    signIn(newcomerOf())
    const page = await open('/account')
    await openPalette(page, 'settings')
    await expectVisible(palette(page).getByText('No property selected. Select one to find its keywords and pages.'))
    await page.keyboard.press('Enter')
    await expectAddress(page, '/settings')
    await choose(page, 'property', 'Select a property')
    await expectAddress(page, '/onboarding/sites')
  })
})

test('a time range applies to the screen, or opens the dashboard', { tags: ['full'] }, async ({ desk, open }) => {
  answerSearch(desk)
  const page = await open('/explore?by=page&compare=year')
  await choose(page, '16 months', 'Last 16 months')
  await expectAddress(page, '/explore?by=page&compare=year&range=16m')
  await choose(page, 'all stored', 'All stored days')
  await expectAddress(page, '/explore?by=page&compare=year&range=all')
  await page.goto('/account')
  await choose(page, '7 days', 'Last 7 days Dashboard')
  await expectAddress(page, '/dashboard?range=7d')
})

test('open alerts can be acknowledged together, wherever one is', { tags: ['full'] }, async ({ desk, open }) => {
  answerSearch(desk)
  const alerts = [queryAlert('lamp', 10), queryAlert('desk', 9), queryAlert('sofa', 8, { state: 'acknowledged' })]
  const kept = keepAlerts(
    desk,
    alerts.map((alert) => ({ ...alert, target: searched })),
  )
  const page = await open('/account')
  await choose(page, 'acknowledge', 'Acknowledge all 2 open alerts')
  await expectToast(page, 'success', '2 Alerts Acknowledged')
  expect(kept.all().map(({ state }) => state)).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
  await openPalette(page, 'acknowledge')
  await expectGone(option(page, 'Acknowledge all 2 open alerts'))
})
