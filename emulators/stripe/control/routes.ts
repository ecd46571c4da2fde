import { ControlError, faultHandlers, handleControl as handle, type Handlers, logHandlers } from '../../lib/control.ts'
import { type Call, json, type Reply } from '../../lib/http.ts'
import { runUntil } from '../billing/cycle.ts'
import type { Invoice } from '../objects/types.ts'
import { StripeFailure } from '../wire/errors.ts'
import type { World } from '../world.ts'
import { failInput, faultFrom } from './faults.ts'
import * as input from './input.ts'
import { payWithCard } from './payments.ts'
import { forge, setEndpoint } from './webhooks.ts'

const clockOf = (world: World) => ({ now: new Date(world.clock.now()).toISOString(), frozen: world.clock.frozen })

function state(world: World): unknown {
  return {
    clock: clockOf(world),
    settings: world.settings,
    holding: world.deliveries.holding,
    faults: world.faults.list(),
    failingCards: world.store.secrets.failing,
    webhooks: world.store.all('webhook_endpoint').map(({ id, url, enabled_events }) => ({ id, url, enabled_events })),
    customers: world.store.all('customer').filter(({ id }) => !world.store.secrets.deleted.includes(id)),
    subscriptions: world.store.all('subscription'),
  }
}

const DAY = 86_400_000

function moveClock(world: World, target: number): void {
  if (target < world.clock.now()) throw new ControlError(400, 'time only goes forward')
  runUntil(world, target)
  world.store.touched()
}

function invoiceToPay(world: World, wanted: { subscription?: string | undefined; invoice?: string | undefined }): Invoice {
  const id = wanted.invoice ?? world.store.get('subscription', wanted.subscription ?? '').latest_invoice
  if (id === null) throw new ControlError(404, 'no invoice')
  return world.store.get('invoice', id)
}

const handlers: Handlers<World> = {
  ...faultHandlers,
  ...logHandlers,
  'GET state': (world) => state(world),
  'PUT webhook': (world, body) => {
    const { url, secret, events } = input.webhookInput.parse(body)
    const { id } = setEndpoint(world, url, secret, events)
    return { id, url }
  },
  'GET clock': (world) => clockOf(world),
  'PUT clock': (world, body) => {
    const { now } = input.clockInput.parse(body)
    if (now !== null) moveClock(world, Date.parse(now))
    world.clock.freeze(now === null ? null : Date.parse(now))
    return clockOf(world)
  },
  'POST advance': async (world, body) => {
    const { days, hours, minutes, seconds, to } = input.advanceInput.parse(body)
    const step = days * DAY + hours * 3_600_000 + minutes * 60_000 + seconds * 1000
    moveClock(world, to === undefined ? world.clock.now() + step : Date.parse(to))
    await world.deliveries.settled()
    return clockOf(world)
  },
  'PUT settings': (world, body) => {
    const given = Object.entries(input.settingsInput.parse(body)).filter(([, value]) => value !== undefined)
    world.settings = { ...world.settings, ...Object.fromEntries(given) }
    world.store.touched()
    return world.settings
  },
  'GET deliveries': (world, _body, query) => ({
    holding: world.deliveries.holding,
    deliveries: world.deliveries.list().slice(-Number(query.get('last') ?? 200)),
  }),
  'GET events': (world, _body, query) => ({ events: world.store.all('event').slice(-Number(query.get('last') ?? 200)) }),
  'POST deliveries/settled': async (world) => {
    await world.deliveries.settled()
    return {}
  },
  'POST deliveries/hold': (world) => {
    world.deliveries.hold()
    return {}
  },
  'POST deliveries/release': async (world, body) => {
    const { order, times } = input.releaseInput.parse(body)
    return { deliveries: await world.deliveries.release(order, times) }
  },
  'POST redeliver': async (world, body) => {
    const { event: id, times } = input.redeliverInput.parse(body)
    const event = world.store.get('event', id)
    const outcomes = []
    for (let time = 0; time < times; time++) outcomes.push(...(await world.deliveries.redeliver(event)))
    return { outcomes }
  },
  'POST forge': async (world, body) => ({ outcomes: await forge(world, input.forgeInput.parse(body)) }),
  'POST fail': (world, body) => {
    world.faults.add(faultFrom(failInput.parse(body)))
    return { faults: world.faults.list() }
  },
  'PUT card': (world, body) => {
    const { customer, problem } = input.cardInput.parse(body)
    world.store.get('customer', customer)
    if (problem === null) delete world.store.secrets.failing[customer]
    else world.store.secrets.failing[customer] = problem
    world.store.touched()
    return { customer, problem }
  },
  'POST pay': async (world, body) => {
    const { card, authenticate, ...which } = input.payInput.parse(body)
    const result = payWithCard(world, invoiceToPay(world, which), card, authenticate)
    await world.deliveries.settled()
    return result
  },
  'POST reset': (world) => {
    world.reset()
    return state(world)
  },
}

/** Answers a call of the control API; Stripe's own refusals are misuse of it. */
export const handleControl = (world: World, call: Call): Promise<Reply> =>
  handle(world, handlers, call, (error) => (error instanceof StripeFailure ? json(error.status, { error: error.message }) : undefined))
