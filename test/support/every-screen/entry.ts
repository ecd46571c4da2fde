import { expectVisible } from '../browser-expect.ts'
import { cutOff, demo, lapsed, newcomer, unconfirmed, unconnected, visitor } from './people.ts'
import { heading, type Screen } from './screen.ts'

/** The way in: before login, and until sites are selected. */
export const entryScreens: readonly Screen[] = [
  { name: 'login', answers: visitor, address: '/login', see: (page) => expectVisible(page.getByRole('button', { name: 'Login' })) },
  {
    name: 'login with mistakes',
    answers: visitor,
    address: '/login',
    async see(page) {
      await page.getByRole('button', { name: 'Login' }).click()
      await expectVisible(page.getByText('Username must be at least 3 characters'))
    },
  },
  {
    name: 'a message of failure',
    answers: visitor,
    address: '/login?error=auth_failed',
    see: (page) => expectVisible(page.getByText('Authentication Failed')),
  },
  {
    name: 'register',
    answers: visitor,
    address: '/login?tab=register',
    see: (page) => expectVisible(page.getByRole('button', { name: 'Create Account' })),
  },
  {
    name: 'register with mistakes',
    answers: visitor,
    address: '/login?tab=register',
    async see(page) {
      await page.getByRole('textbox', { name: 'Confirm password' }).fill('another')
      await page.getByRole('button', { name: 'Create Account' }).click()
      await expectVisible(page.getByText('Passwords do not match'))
    },
  },
  {
    name: 'second step of the login',
    answers: visitor,
    address: '/login?two-factor=1',
    see: (page) => expectVisible(page.getByRole('textbox', { name: 'Code' })),
  },
  { name: 'forgot password', answers: visitor, address: '/forgot-password', see: heading('Forgot password') },
  {
    name: 'forgot password, asked',
    answers: visitor,
    address: '/forgot-password',
    async see(page) {
      await page.getByRole('textbox', { name: 'Email' }).fill('somebody@example.test')
      await page.keyboard.press('Enter')
      await heading('Check your email')(page)
    },
  },
  { name: 'new password', answers: visitor, address: '/reset-password?token=made-up', see: heading('Choose a new password') },
  { name: 'new password without a link', answers: visitor, address: '/reset-password', see: heading("This link doesn't work") },
  {
    name: 'confirm address, not logged in',
    answers: visitor,
    address: '/verify-email?token=made-up',
    see: heading('Log in to confirm your email address'),
  },
  { name: 'confirm address', answers: unconfirmed, address: '/verify-email?token=made-up', see: heading('Confirm your email address') },
  {
    name: 'confirm address, refused',
    answers: unconfirmed,
    address: '/verify-email?token=made-up',
    async see(page) {
      await page.getByRole('button', { name: 'Confirm address' }).click()
      await expectVisible(page.getByRole('button', { name: 'Send a new link' }))
    },
  },
  {
    name: 'undo a changed address',
    answers: visitor,
    address: '/undo-email?token=made-up',
    see: heading('Undo the change to your account?'),
  },
  { name: 'not confirmed at Google', answers: visitor, address: '/proven?proven=false', see: heading('Not confirmed') },
  {
    name: 'confirm where alerts go',
    answers: visitor,
    address: '/confirm-delivery?token=made-up',
    see: heading('Send alerts to this address?'),
  },
  {
    name: 'confirm where alerts go, refused',
    answers: visitor,
    address: '/confirm-delivery?token=made-up',
    async see(page) {
      await page.getByRole('button', { name: 'Confirm this address' }).click()
      await heading("This link doesn't work")(page)
    },
  },
  {
    name: 'no more mail, by a link that is not ours',
    answers: visitor,
    address: '/unsubscribe?token=a.b',
    see: heading("This link doesn't work"),
  },
  {
    name: 'was an alert useful, by a link that is not ours',
    answers: visitor,
    address: '/alert-verdict?say=useful&token=a.b',
    see: heading("This link doesn't work"),
  },
  { name: 'not found', answers: visitor, address: '/nowhere', see: heading('404 Page Not Found') },
  {
    name: 'choice of a plan',
    answers: visitor,
    address: '/onboarding/plan',
    async see(page) {
      await page.getByRole('article', { name: 'Agency' }).getByRole('button', { name: 'Select Plan' }).click()
      await expectVisible(page.getByRole('button', { name: 'Selected' }))
    },
  },
  {
    name: 'choice of the sites that stay',
    answers: lapsed,
    address: '/onboarding/sites',
    see: (page) => expectVisible(page.getByText('Paused', { exact: true })),
  },
  { name: 'choice of sites', answers: demo, address: '/onboarding/sites', see: (page) => expectVisible(page.getByRole('checkbox').last()) },
  { name: 'no sites to choose from', answers: newcomer, address: '/onboarding/sites', see: heading('No Properties Found') },
  { name: 'sites that cannot be listed', answers: cutOff, address: '/onboarding/sites', see: heading('Unable to Load Properties') },
  { name: 'sites without a connection', answers: unconnected, address: '/onboarding/sites', see: heading('Connect Google Search Console') },
]
