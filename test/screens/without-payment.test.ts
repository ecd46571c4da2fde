// An installation that sells nothing (OPEN-POINTS 24). What the server allows and refuses there: server/billing/without-payment.
import { screens } from '../../src/contract/screens.ts'
import type { Desk } from '../support/answers/desk.ts'
import { setUp, unmonitored } from '../support/answers/onboarding.ts'
import { registeredOf } from '../support/answers/shell.ts'
import { expectAddress, expectCount, expectVisible } from '../support/browser-expect.ts'
import { unsold } from '../support/every-screen/people.ts'
import { expectNothingSold } from '../support/nothing-sold.ts'
import { describe, expect, test } from '../support/screen-test.ts'
import type { Open } from '../support/static-pages.ts'

const inShell = Object.values(screens).filter(
  (path) => !path.includes(':') && !/^\/$|onboarding|login|password|verify|undo|proven|confirm|unsubscribe|verdict/.test(path),
)
const tabs = ['schedules', 'clients', 'brand', 'links', 'pdfs'].map((tab) => `${screens.reports}?tab=${tab}`)

async function expectNothingSoldAt(address: string, { desk, open }: { desk: Desk; open: Open }): Promise<void> {
  unsold(desk)
  const page = await open(address)
  await expectVisible(page.getByRole('heading', { level: 1 }), page.getByText('1 site monitored', { exact: true }))
  await expectNothingSold(page)
}

const saysMost: readonly string[] = [screens.dashboard, screens.alertSettings, screens.settings]

for (const [tags, paths] of [
  [[], [screens.settings]],
  [['full'], [screens.dashboard, screens.alertSettings]],
] as const)
  test.for(paths)('%s shows no plan, no price and nothing to buy', { tags: [...tags] }, expectNothingSoldAt)
test.for([...inShell, ...tabs].filter((path) => !saysMost.includes(path)))('nor does %s', { tags: ['full'] }, expectNothingSoldAt)

describe('a newly registered user', () => {
  const sites = Array.from({ length: 30 }, (_, index) => `https://site${index + 1}.example/`)
  const third = 'https://site3.example/'

  test('goes straight to the sites, selects 30 of them, and is on the dashboard', async ({ desk, open }) => {
    setUp(
      desk,
      registeredOf({ plan: null, siteLimit: null, planChosen: true, accessToken: 'redacted', gscProperties: unmonitored(...sites) }),
    )
    const page = await open('/onboarding/plan?connected=true')
    await expectAddress(page, '/onboarding/sites')
    await expectVisible(page.getByText('Choose any number of sites from your Google Search Console properties', { exact: true }))
    await expectCount(page.getByRole('list', { name: 'Setup' }), 0)
    await page.getByRole('checkbox', { name: third, exact: true }).check()
    await page.getByRole('button', { name: 'Select all', exact: true }).click()
    await expectVisible(page.getByText('30 of 30 sites selected', { exact: true }))
    await expectNothingSold(page)
    await page.getByRole('button', { name: 'Complete Setup' }).click()
    await expectAddress(page, '/dashboard')
    await expectVisible(page.getByText('30 sites monitored', { exact: true }))
    // The first one selected is the one to look at.
    await expect
      .poll(() => desk.asked('POST /api/gsc-properties/monitor').map(({ body }) => body))
      .toEqual([{ sites: [third, ...sites.filter((site) => site !== third)] }])
  })

  test("isn't asked to pay, not even by a URL", async ({ desk, open }) => {
    setUp(desk, registeredOf({ plan: null, siteLimit: null, planChosen: true }))
    const page = await open('/onboarding/payment')
    await expectAddress(page, '/onboarding/sites')
    await expectVisible(page.getByRole('heading', { name: 'Connect Google Search Console' }))
    await expectNothingSold(page)
  })
})

test('every channel and frequency can be selected', { tags: ['full'] }, async ({ desk, open }) => {
  unsold(desk)
  const page = await open('/alert-settings')
  for (const name of ['Slack', 'SMS', 'Webhook'])
    await expectVisible(page.getByRole('region', { name, exact: true }).getByRole('switch', { disabled: false }))
  await page.getByRole('combobox', { name: 'Frequency' }).click()
  await page.getByRole('option', { name: 'Instant alerts', disabled: false }).click()
  await page.getByRole('button', { name: 'Save Settings' }).first().click()
  await expect
    .poll(() => desk.asked('PATCH /api/delivery-settings').concat(desk.asked('POST /api/delivery-settings')).at(-1)?.body)
    .toMatchObject({ frequency: 'instant' })
})

test("the welcome tour and the deletion of an account don't name a plan either", { tags: ['full'] }, async ({ desk, open }) => {
  unsold(desk)
  const page = await open('/settings')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await expectVisible(page.getByRole('dialog', { name: 'Delete your account?' }))
  await expectNothingSold(page)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Help' }).click()
  await page.getByRole('menuitem', { name: /welcome tour/ }).click()
  for (let step = 0; step < 3; step += 1) await page.getByRole('button', { name: 'Next' }).click()
  await expectVisible(page.getByText('In Slack, by SMS or to your own webhook', { exact: true }))
  await expectNothingSold(page)
})

test('if the owner limits the sites, screens say so without a plan', async ({ desk, open }) => {
  unsold(desk, { siteLimit: 1, sitesPaused: 2 })
  const page = await open('/dashboard')
  await expectVisible(
    page.getByText('This installation allows 1 site per person; 2 are paused.', { exact: true }),
    page.getByText('1/1 sites monitored', { exact: true }),
  )
  await expectNothingSold(page)
})
