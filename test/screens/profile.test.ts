import type { Page } from 'playwright-core'
import { knows } from '../support/answers/account.ts'
import { answerEveryScreen } from '../support/answers/shell.ts'
import { propertyOf, userOf } from '../support/answers/usual.ts'
import { expectAddress, expectFocused, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

const box = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })
const wrong = (page: Page, label: string, message: string) => page.getByRole('textbox', { name: label, exact: true, description: message })
const [first, second] = ['https://one.example/', 'https://two.example/'] as const
const ofTwo = () =>
  userOf({
    selectedProperty: first,
    gscProperties: [propertyOf({ name: first }), propertyOf({ id: '2', name: second, monitored: false })],
  })

describe('the profile', () => {
  test('is saved', { tags: ['full'] }, async ({ desk, open }) => {
    const known = knows(desk, userOf())
    desk.answer('GET /api/user/sessions', [])
    const page = await open('/account')
    await box(page, 'Username').fill('ann-renamed')
    await button(page, 'Save changes').click()
    await expectToast(page, 'success', 'Profile Updated', 'Your profile has been saved.')
    await expectVisible(page.getByRole('complementary').getByText('ann-renamed'))
    expect(known.user().username).toBe('ann-renamed')
  })

  test('with a new address, which has to be confirmed', { tags: ['full'] }, async ({ desk, open }) => {
    const known = knows(desk, userOf())
    desk.answer('GET /api/user/sessions', [])
    const page = await open('/account')
    await expectVisible(page.getByText('Confirmed', { exact: true }))
    await box(page, 'Email').fill('new@example.test')
    await page.keyboard.press('Enter')
    await expectToast(page, 'success', 'Profile Updated', 'We sent a confirmation email to new@example.test.')
    await expectVisible(page.getByText('Waiting for confirmation', { exact: true }))
    expect(known.user()).toMatchObject({ email: 'ann@example.test', pendingEmail: 'new@example.test' })
  })

  test('shows each error at its field', { tags: ['full'] }, async ({ desk, open }) => {
    desk.answer('GET /api/user/sessions', [])
    const page = await open('/account')
    await box(page, 'Username').fill('ab')
    await box(page, 'Email').fill('nobody')
    await button(page, 'Save changes').click()
    await expectVisible(
      wrong(page, 'Username', 'Username must be at least 3 characters'),
      wrong(page, 'Email', 'Please enter a valid email address'),
    )
    await expectFocused(box(page, 'Username'))
    expect(desk.asked('PATCH /api/user')).toEqual([])
  })

  test('a taken name is reported at its field', async ({ desk, open }) => {
    desk.answer('GET /api/user/sessions', [])
    const message = 'This username is taken. Please choose another one.'
    desk.refuse('PATCH /api/user', 409, { message, field: 'username' })
    const page = await open('/account')
    await box(page, 'Username').fill('taken')
    await button(page, 'Save changes').click()
    await expectToast(page, 'error', 'Update Failed', 'There was an error updating your profile.')
    await expectFocused(wrong(page, 'Username', message))
  })

  test('without a response from the server it says that it failed', { tags: ['full'] }, async ({ desk, open }) => {
    desk.answer('GET /api/user/sessions', [])
    desk.cut('PATCH /api/user')
    const page = await open('/account')
    await box(page, 'Username').fill('ann-renamed')
    await button(page, 'Save changes').click()
    await expectToast(page, 'error', 'Update Failed', 'There was an error updating your profile.')
    await expectVisible(page.getByRole('complementary').getByText('ann', { exact: true }))
  })

  const chooseSecond = async (page: Page) => {
    await page.getByRole('combobox', { name: 'Property', exact: true }).click()
    await page.getByRole('option', { name: second }).click()
    await button(page, 'Save changes').click()
  }

  test('selects the property that the screens show, also after a dashboard that named another one', async ({ desk, open }) => {
    answerEveryScreen(desk)
    const known = knows(desk, ofTwo())
    desk.answer('GET /api/user/sessions', [])
    const page = await open('/dashboard')
    await expectAddress(page, `/dashboard?property=${encodeURIComponent(first)}`)
    await page.getByRole('link', { name: 'Profile', exact: true }).click()
    await chooseSecond(page)
    await expectToast(page, 'success', 'Profile Updated', 'Your profile has been saved.')
    expect(known.user().selectedProperty).toBe(second)
    await expectText(page.getByRole('combobox', { name: 'Selected property' }), second)
    await expectVisible(page.getByRole('banner').getByRole('button', { name: `Property: ${second}` }))
  })

  test("says why, if the plan doesn't cover another property", { tags: ['full'] }, async ({ desk, signIn, open }) => {
    signIn(ofTwo())
    desk.answer('GET /api/user/sessions', [])
    desk.refuse('PATCH /api/user', 403, { message: 'Your Free plan allows up to 1 site(s).' })
    const page = await open('/account')
    await chooseSecond(page)
    await expectToast(page, 'error', 'Update Failed', 'There was an error updating your profile.')
    await expectVisible(page.getByRole('alert').getByText('Your Free plan allows up to 1 site(s).'))
  })
})

test(
  'failures on the Google card without a response from the server are reported in the words of the specification',
  { tags: ['full'] },
  async ({ desk, signIn, open }) => {
    signIn(ofTwo())
    desk.answer('GET /api/user/sessions', [])
    desk.cut('POST /api/gsc-properties/select')
    desk.cut('PATCH /api/user')
    const page = await open('/account')
    await page.getByRole('combobox', { name: 'Selected property' }).click()
    await page.getByRole('option', { selected: false }).first().click()
    await expectToast(page, 'error', 'Error', 'Failed to update property selection')
    await button(page, 'Disconnect').click()
    await button(page, 'Disconnect Search Console').click()
    await expectToast(page, 'error', 'Error', 'Failed to disconnect Google Search Console.')
  },
)
