import { redirect } from '../../lib/http.ts'
import type { Call, Reply } from '../../lib/http.ts'
import { authenticate, AUTHENTICATION_FAILED } from '../billing/intents.ts'
import { collect, intentOf } from '../billing/invoices.ts'
import { createMethod } from '../billing/methods.ts'
import { releaseSchedule } from '../billing/schedules.ts'
import { authenticateSetup, confirmSetup, createSetup } from '../billing/setup.ts'
import type { Customer, PaymentMethod, Subscription } from '../objects/types.ts'
import { StripeFailure } from '../wire/errors.ts'
import type { World } from '../world.ts'
import { page } from './layout.ts'
import { portalPage, portalQuestion, runningOf } from './portal.ts'

const DONE: Readonly<Record<string, string>> = {
  card: 'Your card was saved.',
  cancel: 'Your plan was canceled.',
  renew: 'Your plan was renewed.',
}

/** Thrown if the portal has to ask something first. */
class Question extends Error {
  readonly intent: string

  constructor(intent: string) {
    super('the bank asks')
    this.intent = intent
  }
}

/** Answers a visit to the customer portal. */
export function handlePortal(world: World, call: Call): Reply {
  const session = world.store.all('billing_portal.session').find((each) => new URL(each.url).pathname === call.url.pathname)
  const customer = session && world.store.find('customer', session.customer)
  if (!session || !customer || world.store.secrets.deleted.includes(customer.id)) {
    return page('Session expired', '<main><h1>Session expired</h1><p>Go back and open this page again.</p></main>', { status: 404 })
  }
  const done = DONE[call.url.searchParams.get('done') ?? '']
  if (call.method !== 'POST') return portalPage(world, session, customer, done === undefined ? {} : { done })
  const form = new URLSearchParams(call.body)
  try {
    return redirect(`${call.url.pathname}?done=${act(world, customer, form)}`)
  } catch (error) {
    if (error instanceof Question) return portalQuestion(error.intent)
    if (error instanceof StripeFailure) return portalPage(world, session, customer, { problem: error.message })
    throw error
  }
}

function act(world: World, customer: Customer, form: URLSearchParams): string {
  const action = form.get('action') ?? ''
  if (action === 'card') setUpCard(world, customer, form)
  else if (action === 'authenticate') answer(world, customer, form)
  else {
    const subscription = runningOf(world, customer.id).find(({ id }) => id === form.get('subscription'))
    if (subscription) setCancellation(world, subscription, action === 'cancel')
    return action
  }
  return 'card'
}

function setCancellation(world: World, subscription: Subscription, cancel: boolean): void {
  const schedule = subscription.schedule === null ? undefined : world.store.find('subscription_schedule', subscription.schedule)
  if (schedule?.status === 'active') releaseSchedule(world, schedule)
  world.change(subscription, 'customer.subscription.updated', (changed) => {
    changed.cancel_at_period_end = cancel
    changed.cancel_at = cancel ? (changed.items.data[0]?.current_period_end ?? null) : null
    changed.canceled_at = cancel ? world.clock.seconds() : null
    const details = { comment: null, feedback: null, feedback_option: null, ...changed.cancellation_details }
    changed.cancellation_details = { ...details, reason: cancel ? 'cancellation_requested' : null }
  })
}

function setUpCard(world: World, customer: Customer, form: URLSearchParams): void {
  const [month = '', year = ''] = (form.get('expiry') ?? '').split(/[/ ]+/)
  const card = {
    number: (form.get('number') ?? '').replaceAll(/\D/g, ''),
    exp_month: Number(month),
    exp_year: year.length === 4 ? Number(year) : 2000 + Number(year),
    cvc: form.get('cvc'),
  }
  const method = createMethod(world, card, { email: customer.email })
  const setup = createSetup(world, { customer: customer.id })
  const attempt = confirmSetup(world, setup, method)
  if (attempt.status === 'requires_action') throw new Question(setup.id)
  if (attempt.problem) throw new StripeFailure(402, { type: 'card_error', ...attempt.problem })
  useCard(world, customer, method)
}

function answer(world: World, customer: Customer, form: URLSearchParams): void {
  const passed = form.get('outcome') === 'complete'
  const id = form.get('intent') ?? ''
  const setup = world.store.find('setup_intent', id)
  const intent = world.store.find('payment_intent', id)
  if (setup?.customer === customer.id) {
    authenticateSetup(world, setup, passed)
    const method = setup.payment_method === null ? undefined : world.store.find('payment_method', setup.payment_method)
    if (!passed || !method) throw new StripeFailure(402, { type: 'card_error', message: AUTHENTICATION_FAILED })
    useCard(world, customer, method)
  } else if (intent?.customer === customer.id) {
    authenticate(world, intent, passed)
    const problem = intent.last_payment_error?.message
    if (problem !== undefined) throw new StripeFailure(402, { type: 'card_error', message: problem })
    payOpenInvoices(world, customer)
  }
}

/** The card becomes the default for everything, and pays what is owed. */
function useCard(world: World, customer: Customer, method: PaymentMethod): void {
  world.change(customer, 'customer.updated', (changed) => (changed.invoice_settings.default_payment_method = method.id))
  for (const subscription of runningOf(world, customer.id)) {
    world.change(subscription, 'customer.subscription.updated', (changed) => (changed.default_payment_method = method.id))
  }
  payOpenInvoices(world, customer)
}

function payOpenInvoices(world: World, customer: Customer): void {
  for (const invoice of world.store.all('invoice')) {
    if (invoice.customer !== customer.id || invoice.status !== 'open' || invoice.billing_reason === 'subscription_create') continue
    const attempt = collect(world, invoice, { offSession: false })
    const intent = intentOf(world, invoice)
    if (attempt?.status === 'requires_action' && intent) throw new Question(intent.id)
    if (attempt?.problem) throw new StripeFailure(402, { type: 'card_error', ...attempt.problem })
  }
}
