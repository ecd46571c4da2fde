import { noAccessWords } from '../../src/core/accounts/site-access.ts'
import { setUp, unmonitored } from '../support/answers/onboarding.ts'
import { newcomerOf } from '../support/answers/shell.ts'
import { propertyOf, shopName } from '../support/answers/usual.ts'
import {
  expectAddress,
  expectChecked,
  expectDisabled,
  expectEnabled,
  expectGone,
  expectToast,
  expectVisible,
} from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

describe('returning from Google', { tags: ['full'] }, () => {
  test('connected: a message says so once, and the parameter is removed from the URL', async ({ desk, open }) => {
    setUp(desk, newcomerOf({ gscProperties: unmonitored('https://one.example/') }))
    const page = await open('/onboarding/sites?connected=true')
    await expectToast(page, 'success', 'Connected Successfully')
    await expectAddress(page, '/onboarding/sites')
    await expectVisible(page.getByRole('checkbox', { name: 'https://one.example/' }))
  })

  test('not connected: a message says so on the screen where it started', async ({ signIn, open }) => {
    signIn({ accessToken: null, refreshToken: null, selectedProperty: null, gscProperties: null })
    const page = await open('/account?connected=false')
    await expectToast(page, 'error', 'Connection Failed', 'There was an issue connecting to Google Search Console. Please try again.')
    await expectAddress(page, '/account')
    await expectVisible(page.getByText('Not connected'))
  })
})

test('without a connection the dashboard says what is missing', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  signIn({ accessToken: null, refreshToken: null, selectedProperty: null, gscProperties: null, sitesMonitored: 0 })
  desk.answer('GET /api/sync', [])
  const page = await open('/dashboard')
  await expectVisible(
    page.getByRole('heading', { name: 'No Search Console data available', exact: true }),
    page.getByText('Please select a property and ensure you have access to Search Console data', { exact: true }),
    page.getByRole('button', { name: 'Connect Search Console' }),
  )
})

test('the confirmation of disconnecting can be declined', { tags: ['full'] }, async ({ desk, open }) => {
  const page = await open('/account')
  await page.getByRole('button', { name: 'Disconnect' }).click()
  const question = page.getByRole('alertdialog', { name: 'Disconnect Google Search Console?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expectGone(question)
  await expectVisible(page.getByText('Connected', { exact: true }))
  expect(desk.asked('PATCH /api/user')).toEqual([])
})

test("a site within the plan's limit can be replaced by another one", async ({ desk, open }) => {
  setUp(desk, newcomerOf({ gscProperties: unmonitored('https://one.example/', 'sc-domain:two.example') }))
  const page = await open('/onboarding/sites')
  await expectVisible(page.getByText('Select 0/1 sites', { exact: true }))
  await page.getByRole('checkbox', { name: 'sc-domain:two.example' }).check()
  await expectVisible(page.getByText('Select 1/1 sites', { exact: true }))
  const other = page.getByRole('checkbox', { name: 'https://one.example/' })
  await expectDisabled(other)
  await page.getByText('https://one.example/').click({ force: true })
  await expectToast(page, 'error', 'Site Limit Reached', 'Your Free plan allows up to 1 site(s).')
  await page.getByRole('checkbox', { name: 'sc-domain:two.example' }).uncheck()
  await other.check()
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expectAddress(page, '/dashboard')
  await expect
    .poll(() => desk.asked('POST /api/gsc-properties/monitor').map(({ body }) => body))
    .toEqual([{ sites: ['https://one.example/'] }])
})

test("a site without access can't be selected; one that loses it meanwhile is refused with a message", async ({ desk, open }) => {
  const [one = propertyOf(), two = one, three = one] = unmonitored('https://one.example/', 'https://two.example/', 'https://three.example/')
  const change = setUp(desk, newcomerOf({ siteLimit: 5, gscProperties: [one, { ...two, permissionLevel: 'siteUnverifiedUser' }, three] }))
  const page = await open('/onboarding/sites')
  const box = (name: string) => page.getByRole('checkbox', { name })
  const note = page.getByText('Your Google account has no access to some of these sites.')
  await expectVisible(box('https://two.example/ No access'), note)
  await expectDisabled(box(two.name))
  await box(one.name).check()
  await box(three.name).check()

  const message = noAccessWords([three.name])
  desk.refuse('POST /api/gsc-properties/monitor', 403, { message, field: 'sites' })
  change({ gscProperties: [one, two, { ...three, permissionLevel: null }] })
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expectToast(page, 'error', 'Error', message)
  await expectVisible(page.getByText('Select 1/5 sites', { exact: true }), box('https://three.example/ No access'))
  expect([await box(two.name).isDisabled(), await box(three.name).isDisabled()]).toEqual([false, true])

  change({ gscProperties: [one, two, three] })
  await page.getByRole('button', { name: 'check again' }).click()
  await expectGone(note)
  await expectEnabled(box(three.name))
})

test('a property that Google has no data for is empty, not broken', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  signIn({})
  desk.answer('GET /api/metrics', null)
  const page = await open('/dashboard')
  await expectVisible(page.getByRole('heading', { name: 'No Search Console data available' }))
})

test(
  'with a Google account without properties, the screen says where to add one and can check again',
  { tags: ['full'] },
  async ({ desk, open }) => {
    const change = setUp(desk, newcomerOf())
    const page = await open('/onboarding/sites')
    await expectVisible(page.getByRole('heading', { name: 'No Properties Found' }))
    change({ gscProperties: unmonitored('https://new.example/') })
    await page.getByRole('button', { name: 'Check again' }).click()
    await expectVisible(page.getByRole('checkbox', { name: 'https://new.example/' }))
  },
)

test('a property that was imported meanwhile is ticked, so that saving keeps it', { tags: ['full'] }, async ({ desk, open }) => {
  const google = [...unmonitored('https://one.example/'), propertyOf({ id: '2', name: 'https://two.example/', permissionLevel: null })]
  const change = setUp(desk, newcomerOf({ plan: 'pro', siteLimit: 5, gscProperties: google }))
  const page = await open('/onboarding/sites')
  await page.getByRole('checkbox', { name: 'https://one.example/' }).check()
  change({ gscProperties: [...google, propertyOf({ id: '3', name: 'Old site', kind: 'imported' })] })
  await page.getByRole('button', { name: 'check again' }).click()
  for (const name of ['https://one.example/', 'Old site']) await expectChecked(page.getByRole('checkbox', { name }), true)
})

describe("when Google doesn't list the properties", { tags: ['full'] }, () => {
  test('one can be entered manually, and an error in it is shown and stays at the field', async ({ desk, open }) => {
    setUp(desk, newcomerOf())
    desk.refuse('GET /api/gsc-properties', 502, { message: "Google isn't responding." })
    const page = await open('/onboarding/sites')
    const heading = page.getByRole('heading', { name: 'Unable to Load Properties', exact: true })
    await expectVisible(
      heading,
      page.getByText('There was an issue accessing your Google Search Console data.', { exact: true }),
      page.getByText("Google isn't responding.", { exact: true }),
    )
    // An empty field sends no request.
    await page.getByRole('button', { name: 'Use this site' }).click()
    await expectVisible(heading)
    expect(desk.asked('POST /api/gsc-properties/monitor')).toEqual([])

    const message = 'Search Console lists this site as https://dora.example/. Please enter it that way.'
    desk.refuse('POST /api/gsc-properties/monitor', 404, { message, field: 'sites' })
    const address = page.getByRole('textbox', { name: "Or enter the site's URL" })
    await address.fill('https://www.dora.example/')
    await address.press('Enter')
    await expectToast(page, 'error', 'Error', message)
    await expectVisible(page.getByRole('textbox', { name: "Or enter the site's URL", description: message }))

    setUp(desk, newcomerOf())
    await address.fill('https://dora.example/')
    await address.press('Enter')
    await expectAddress(page, '/dashboard')
    await expectVisible(page.getByRole('button', { name: 'Property: https://dora.example/' }))
  })

  test('one that is entered manually leaves imported ones monitored, since nobody can tick them here', async ({ desk, open }) => {
    const imported = propertyOf({ id: '1', name: 'Old site', kind: 'imported' })
    setUp(desk, newcomerOf({ plan: 'pro', siteLimit: 5, sitesMonitored: 2, gscProperties: [imported, propertyOf({ id: '2' })] }))
    desk.refuse('GET /api/gsc-properties', 502)
    const page = await open('/onboarding/sites')
    const address = page.getByRole('textbox', { name: "Or enter the site's URL" })
    await address.fill('https://dora.example/')
    await address.press('Enter')
    await expectAddress(page, '/dashboard')
    expect(desk.asked('POST /api/gsc-properties/monitor')).toMatchObject([{ body: { sites: ['https://dora.example/', 'Old site'] } }])
  })

  test('the connection can be renewed, and leads back here', async ({ desk, open }) => {
    setUp(desk, newcomerOf())
    desk.refuse('GET /api/gsc-properties', 502)
    const page = await open('/onboarding/sites')
    await page.route(/\/api\/auth\/google\?/, (route) => route.fulfill({ body: 'Google' }))
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.isNavigationRequest()),
      page.getByRole('button', { name: 'Reconnect Google Search Console' }).click(),
    ])
    const { pathname, searchParams } = new URL(request.url())
    expect([pathname, searchParams.get('redirect')]).toEqual(['/api/auth/google', '/onboarding/sites'])
  })
})

test('without a connection the site screen offers both ways in', { tags: ['full'] }, async ({ desk, open }) => {
  const name = 'otto.example'
  const change = setUp(desk, newcomerOf({ accessToken: null, refreshToken: null, gscProperties: null }))
  desk.answer('POST /api/import', () => {
    const imported = propertyOf({ name, kind: 'imported', permissionLevel: null })
    change({ gscProperties: [imported], selectedProperty: name, sitesMonitored: 1 })
    const figures = { rows: 35, days: 35, start: '2026-02-08', end: '2026-03-14', clicks: 30_000, impressions: 800_000 }
    return { property: name, changed: true, notes: [], ...figures }
  })
  const page = await open('/onboarding/sites')
  await expectVisible(
    page.getByRole('button', { name: 'Connect Google Search Console' }),
    page.getByRole('heading', { name: 'Or import a file' }),
  )
  await page.getByLabel('Exported file').setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('Date,Clicks\n') })
  await page.getByRole('textbox', { name: 'Property name' }).fill(name)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expectVisible(page.getByText(`Imported into ${name}`))
  await page.getByRole('button', { name: 'Show on the dashboard' }).click()
  await expectVisible(page.getByRole('region', { name: 'Clicks' }))
})

test("figures that can't be loaded are an error with what to do, not a blank", { tags: ['full'] }, async ({ desk, signIn, open }) => {
  signIn({})
  // In another window the connection was ended, and with it the property.
  desk.refuse('GET /api/metrics', 404, { message: 'This property is not yours, or is no more.', field: 'property' })
  const page = await open('/dashboard')
  const problem = page
    .getByRole('alert')
    .filter({ has: page.getByRole('heading', { name: 'Unable to load Search Console data', exact: true }) })
  await expectVisible(
    problem.getByText('Please authenticate with Google Search Console to view metrics', { exact: true }),
    problem.getByText(`${shopName}: This property is not yours, or is no more.`),
    problem.getByRole('button', { name: 'Try again' }),
  )
})
