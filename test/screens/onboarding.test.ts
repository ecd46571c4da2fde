import type { Page } from 'playwright-core'
import { letsIn, password } from '../support/answers/account.ts'
import { setUp, unpaidOf, unmonitored } from '../support/answers/onboarding.ts'
import { demoOf, newcomerOf, registeredOf } from '../support/answers/shell.ts'
import { sessionOf } from '../support/answers/usual.ts'
import {
  expectAddress,
  expectChecked,
  expectCount,
  expectDisabled,
  expectFocused,
  expectToast,
  expectVisible,
} from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

const planCard = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const choose = (page: Page, plan: string) => planCard(page, plan).getByRole('button', { name: 'Select Plan' }).click()
const selected = (page: Page, plan: string) => planCard(page, plan).getByRole('button', { name: 'Selected' })
const kept = (page: Page) => page.evaluate(() => sessionStorage.getItem('ranklark-purchase-flow'))

describe('choosing a plan', { tags: ['full'] }, () => {
  test('visitors see what each plan costs and covers', async ({ desk, signIn, open }) => {
    signIn(null)
    const page = await open('/onboarding/plan')
    await expectVisible(page.getByRole('heading', { name: 'Choose Your Plan', exact: true }), planCard(page, 'Free'))
    for (const [name, price] of [
      ['Free', '$0/month'],
      ['Pro', '$9/month'],
      ['Agency', '$29/month'],
    ] as const) {
      const text = (await planCard(page, name).innerText()).replaceAll(/\s+/g, '')
      expect(text).toContain(price)
    }

    // The next step opens once a plan is chosen, and is named accordingly.
    await expectDisabled(page.getByRole('button', { name: 'Continue to Payment' }))
    await choose(page, 'Free')
    await expectVisible(selected(page, 'Free'), page.getByRole('button', { name: 'Continue to Setup' }))
    await choose(page, 'Agency')
    await expectVisible(page.getByRole('button', { name: 'Continue to Payment' }))
    await expectCount(page.getByRole('button', { name: 'Selected' }), 1)
    await page.reload()
    await expectVisible(selected(page, 'Agency'))

    // Payment requires login, and users return to it afterwards.
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await expectAddress(page, '/login')
    const vera = registeredOf({ username: 'vera' })
    desk.answer('POST /api/auth/login', () => {
      setUp(desk, vera)
      return { user: vera }
    })
    desk.hold('POST /api/create-subscription')
    await page.getByRole('textbox', { name: 'Username' }).fill('vera')
    await page.getByRole('textbox', { name: 'Password' }).fill('a-good-password')
    await page.getByRole('button', { name: 'Login' }).click()
    await expectAddress(page, '/onboarding/payment')
  })

  test('no step can be reached early', async ({ desk, signIn, open }) => {
    setUp(desk, registeredOf())
    const page = await open('/onboarding/payment')
    await expectAddress(page, '/onboarding/plan')
    await page.goto('/onboarding/sites')
    await expectAddress(page, '/onboarding/plan')
    await choose(page, 'Pro')
    await page.goto('/onboarding/sites')
    await expectAddress(page, '/onboarding/plan')
    await expectVisible(selected(page, 'Pro'))
    await page.evaluate(() => sessionStorage.setItem('ranklark-purchase-flow', '{"selectedPlan":"gold"}'))
    await page.goto('/onboarding/payment')
    await expectAddress(page, '/onboarding/plan')

    // Somebody else, of whom nothing is stored.
    signIn(null)
    await page.evaluate(() => sessionStorage.clear())
    for (const address of ['/onboarding/sites', '/onboarding/payment']) {
      await page.goto(address)
      await expectAddress(page, '/onboarding/plan')
    }
    // Back from a bank's own page after the session has ended.
    await page.goto('/onboarding/sites?payment_intent=pi_1&redirect_status=succeeded')
    await expectAddress(page, '/login')
  })

  test('by keyboard alone', async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/onboarding/plan')
    const select = planCard(page, 'Free').getByRole('button')
    await select.focus()
    await page.keyboard.press('Enter')
    await expectVisible(selected(page, 'Free'))
    for (const name of ['Select Plan', 'Select Plan', 'Continue to Setup']) {
      await page.keyboard.press('Tab')
      await expectFocused(page.locator(':focus').and(page.getByRole('button', { name })))
    }
    await page.keyboard.press('Enter')
    await expectAddress(page, '/login')
  })
})

describe('setting up', () => {
  async function logIn(page: Page, username: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Username' }).fill(username)
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
  }

  test('a plan chosen as a visitor never overrides an existing one', { tags: ['full'] }, async ({ desk, open }) => {
    letsIn(desk, demoOf())
    const page = await open('/onboarding/plan')
    await choose(page, 'Free')
    await page.getByRole('button', { name: 'Continue to Setup' }).click()
    await expectAddress(page, '/login')
    await logIn(page, 'demo')
    await expectAddress(page, '/dashboard')
    await expectVisible(page.getByText('Pro Plan', { exact: true }))
    expect(await kept(page)).toBeNull()
    // Nor if they select it themselves in passing: the settings ask first.
    desk.answer('POST /api/subscription/preview', { takesEffect: 'now', dueNow: 0, price: 0, at: null })
    desk.answer('GET /api/subscription', unpaidOf({ plan: 'pro' }))
    await page.goto('/onboarding/plan')
    await choose(page, 'Free')
    await page.getByRole('button', { name: 'Continue to Setup' }).click()
    await expectAddress(page, '/settings?change=free')
    expect(desk.asked('POST /api/create-subscription')).toEqual([])
  })

  test('interrupted before the payment continues in another browser: log in, and the plan is still chosen', async ({ desk, open }) => {
    letsIn(desk, registeredOf())
    desk.answer('GET /api/subscription', unpaidOf({ status: 'incomplete', begunPlan: 'pro' }))
    desk.answer('GET /api/alert-conditions', [])
    const page = await open('/login')
    await logIn(page, 'registered')
    await expectAddress(page, '/dashboard')
    await expectVisible(page.getByText('Your setup isn’t finished. Next: choose a plan.', { exact: true }))
    await page.getByRole('link', { name: 'Choose a plan', exact: true }).click()
    await expectAddress(page, '/onboarding/plan')
    await expectVisible(selected(page, 'Pro'))
    desk.hold('POST /api/subscription/refresh')
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await expectVisible(page.getByRole('heading', { name: 'Complete Your Payment', exact: true }))
  })

  test('interrupted before the sites continues there, as its last step', { tags: ['full'] }, async ({ desk, open }) => {
    setUp(desk, newcomerOf({ gscProperties: unmonitored('https://one.example/') }))
    desk.answer('GET /api/alert-conditions', [])
    const page = await open('/dashboard')
    await expectVisible(page.getByText('Your setup isn’t finished. Next: choose the sites to monitor.', { exact: true }))
    await page.getByRole('link', { name: 'Select a property', exact: true }).click()
    await expectAddress(page, '/onboarding/sites')
    await expectVisible(page.getByRole('list', { name: 'Setup' }))
    await page.getByRole('checkbox', { name: 'https://one.example/' }).check()
    await page.getByRole('button', { name: 'Complete Setup' }).click()
    await expectAddress(page, '/dashboard')
    await expectVisible(page.getByText('1/1 sites monitored'))
  })
})

describe('Free', { tags: ['full'] }, () => {
  test("that can't be activated says so, and can be retried", async ({ desk, open }) => {
    const change = setUp(desk, registeredOf())
    desk.refuse('POST /api/create-subscription', 500)
    const page = await open('/onboarding/plan')
    await choose(page, 'Free')
    await page.getByRole('button', { name: 'Continue to Setup' }).click()
    await expectToast(page, 'error', 'Error', 'Failed to activate free plan. Please try again.')
    await expectVisible(page.getByRole('heading', { name: "Couldn't activate the free plan" }))
    expect(await kept(page)).toContain('"paymentStatus":"failed"')
    desk.answer('POST /api/create-subscription', () => {
      change({ planChosen: true })
      return { success: true }
    })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectToast(page, 'success', 'Plan Selected', 'Your free plan has been activated.')
    await expectAddress(page, '/onboarding/sites')
  })

  test('covers one site: the selection survives a reload, and setup is complete once it is saved', async ({ desk, open }) => {
    const change = setUp(
      desk,
      newcomerOf({ planChosen: false, gscProperties: unmonitored('https://one.example/', 'https://two.example/') }),
    )
    desk.answer('POST /api/create-subscription', () => {
      change({ planChosen: true })
      return { success: true }
    })
    const page = await open('/onboarding/plan')
    await choose(page, 'Free')
    await page.getByRole('button', { name: 'Continue to Setup' }).click()
    await expectVisible(page.getByText('Choose up to 1 site(s) from your Google Search Console properties', { exact: true }))
    expect(await kept(page)).toContain('"paymentStatus":"success"')
    await page.getByRole('checkbox', { name: 'https://two.example/' }).check()
    await page.reload()
    await expectVisible(page.getByText('Select 1/1 sites', { exact: true }))
    await expectChecked(page.getByRole('checkbox', { name: 'https://two.example/' }), true)
    await page.getByText('https://one.example/').click({ force: true })
    await expectToast(page, 'error', 'Site Limit Reached', 'Your Free plan allows up to 1 site(s).')
    await page.getByRole('button', { name: 'Complete Setup' }).click()
    await expectAddress(page, '/dashboard')
    await expectVisible(page.getByRole('button', { name: 'Property: https://two.example/' }), page.getByText('1/1 sites monitored'))
    await expect.poll(() => kept(page)).toBeNull()

    // Users who have completed it can still open the screen.
    await page.goto('/onboarding/sites')
    await expectVisible(page.getByRole('checkbox', { name: 'https://one.example/' }))
    await expectCount(page.getByRole('list', { name: 'Setup' }), 0)
  })
})

describe('a payment', () => {
  async function continueToPayment(page: Page, plan: string): Promise<void> {
    await choose(page, plan)
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
  }

  test("that can't be set up says why, and can be requested again", { tags: ['full'] }, async ({ desk, open }) => {
    setUp(desk, registeredOf())
    desk.refuse('POST /api/create-subscription', 502, { message: 'Stripe does not answer. Please try again in a moment.' })
    const page = await open('/onboarding/plan')
    await continueToPayment(page, 'Pro')
    await expectToast(page, 'error', 'Error', 'Failed to create subscription. Please try again.')
    await expectVisible(
      page.getByRole('heading', { name: "Couldn't set up the payment" }),
      page.getByText("You haven't been charged for the Pro plan.", { exact: true }),
      page.getByText('Stripe does not answer. Please try again in a moment.', { exact: true }),
    )
    desk.hold('POST /api/create-subscription')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectVisible(page.getByText('Setting up payment...', { exact: true }))
  })

  test('abandoned is forgotten when its user logs out', { tags: ['full'] }, async ({ desk, open }) => {
    setUp(desk, registeredOf())
    desk.hold('POST /api/create-subscription')
    const page = await open('/onboarding/plan')
    await continueToPayment(page, 'Pro')
    await expectVisible(page.getByRole('heading', { name: 'Complete Your Payment', exact: true }))
    desk.answer('POST /api/auth/logout', () => {
      desk.answer('GET /api/auth/session', sessionOf(null))
      return null
    })
    await page.getByRole('button', { name: 'Log out' }).click()
    await expectAddress(page, '/login')
    await expect.poll(() => kept(page)).toBeNull()
  })

  test("for a plan already in effect isn't made twice: continues to the sites", { tags: ['full'] }, async ({ desk, open }) => {
    setUp(desk, newcomerOf({ plan: 'pro', siteLimit: 5 }))
    desk.answer('GET /api/subscription', unpaidOf({ plan: 'pro', status: 'active' }))
    const page = await open('/onboarding/plan')
    await continueToPayment(page, 'Pro')
    await expectAddress(page, '/onboarding/sites')
    expect(desk.asked('POST /api/create-subscription')).toEqual([])
    // Nor does it wait for one.
    expect(desk.asked('POST /api/subscription/refresh')).toEqual([])
  })

  test(
    'for one plan while another is paid for becomes a change, which the settings confirm',
    { tags: ['full'] },
    async ({ desk, open }) => {
      setUp(desk, newcomerOf({ plan: 'agency', siteLimit: 25 }))
      desk.answer('GET /api/subscription', unpaidOf({ plan: 'agency', status: 'active' }))
      desk.answer('POST /api/subscription/preview', { takesEffect: 'period_end', dueNow: 0, price: 9, at: '2026-04-10T12:00:00.000Z' })
      const page = await open('/onboarding/plan')
      await continueToPayment(page, 'Pro')
      await expectAddress(page, '/settings?change=pro')
      expect(desk.asked('POST /api/create-subscription')).toEqual([])
    },
  )

  test('is waited for until the plan is in effect', async ({ desk, open }) => {
    const change = setUp(desk, registeredOf())
    const page = await open('/onboarding/plan')
    await choose(page, 'Pro')
    await expectVisible(selected(page, 'Pro'))
    // Paid, but Stripe then doesn't answer the server's requests.
    desk.refuse('POST /api/subscription/refresh', 502, { message: 'Stripe does not answer. Please try again in a moment.' })
    await page.evaluate(() => {
      const flow = JSON.parse(sessionStorage.getItem('ranklark-purchase-flow') ?? '{}') as object
      const paid = { ...flow, currentStep: 'payment', paymentStatus: 'success' }
      sessionStorage.setItem('ranklark-purchase-flow', JSON.stringify(paid))
    })
    await page.goto('/onboarding/payment')
    const waiting = page.getByRole('heading', { name: 'Payment received, activating your plan' })
    await expectVisible(waiting, page.getByText('Stripe does not answer. Please try again in a moment.', { exact: true }))
    await page.reload()
    await expectVisible(waiting)
    desk.answer('POST /api/subscription/refresh', () => ({
      user: change({ plan: 'pro', planChosen: true, siteLimit: 5 }),
      subscription: unpaidOf({ plan: 'pro', status: 'active' }),
    }))
    await page.getByRole('button', { name: 'Check again' }).click()
    await expectToast(page, 'success', 'Payment Successful', 'Your Pro plan has been activated.')
    await expectAddress(page, '/onboarding/sites')
  })
})

describe('returning from a bank’s own page', { tags: ['full'] }, () => {
  test('a completed payment is confirmed by the server, and removed from the URL', async ({ desk, open }) => {
    const change = setUp(desk, registeredOf())
    desk.answer('POST /api/subscription/refresh', () => ({
      user: change({ plan: 'pro', planChosen: true, siteLimit: 5 }),
      subscription: unpaidOf({ plan: 'pro', status: 'active' }),
    }))
    const page = await open('/onboarding/plan')
    await choose(page, 'Pro')
    await page.goto('/onboarding/sites?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=succeeded')
    await expectToast(page, 'success', 'Payment Successful', 'Your Pro plan has been activated.')
    await expectAddress(page, '/onboarding/sites')
    await expectVisible(page.getByText('Choose up to 5 site(s) from your Google Search Console properties'))
  })

  test("a mere claim of having paid isn't", async ({ desk, open }) => {
    const change = setUp(desk, registeredOf())
    desk.answer('POST /api/subscription/refresh', () => ({ user: change({}), subscription: unpaidOf() }))
    desk.hold('POST /api/create-subscription')
    const page = await open('/onboarding/plan')
    await choose(page, 'Pro')
    await page.goto('/onboarding/sites?payment_intent=pi_1&redirect_status=succeeded')
    await expectAddress(page, '/onboarding/payment')
    await expectVisible(page.getByText('Setting up payment...', { exact: true }))
  })
})
