import { z } from 'zod'
import { after } from '../billing/periods.ts'
import { cancelSchedule, enterPhase, phaseItem, releaseSchedule, requireRunning, scheduleFrom } from '../billing/schedules.ts'
import { buildPhase } from '../objects/subscription.ts'
import type { Schedule, SchedulePhase } from '../objects/types.ts'
import { invalid, wrongParam } from '../wire/errors.ts'
import { pageOf } from '../wire/paging.ts'
import { expand, flag, integer, mergeMetadata, metadata, moment, paging, parseParams, text } from '../wire/params.ts'
import type { World } from '../world.ts'
import type { Route } from './context.ts'
import { retrieveOnly } from './retrieve.ts'
import { recurringPrice } from './subscription-params.ts'

const prorationBehavior = z.enum(['always_invoice', 'create_prorations', 'none'])
const createParams = z.strictObject({ from_subscription: text, expand })
const phase = z.strictObject({
  items: z.array(z.strictObject({ price: text, quantity: integer.default(1), metadata: metadata.optional() })).min(1),
  start_date: moment.optional(),
  end_date: moment.optional(),
  duration: z.strictObject({ interval: z.enum(['day', 'week', 'month', 'year']), interval_count: integer.default(1) }).optional(),
  proration_behavior: prorationBehavior.default('create_prorations'),
  metadata: metadata.optional(),
  currency: text.optional(),
})
const updateParams = z.strictObject({
  end_behavior: z.enum(['release', 'cancel']).optional(),
  phases: z.array(phase).min(1).optional(),
  proration_behavior: prorationBehavior.optional(),
  metadata: metadata.optional(),
  expand,
})
const releaseParams = z.strictObject({ preserve_cancel_date: flag.optional(), expand })
const cancelParams = z.strictObject({ invoice_now: flag.optional(), prorate: flag.optional(), expand })
const listParams = z.strictObject({ ...paging, customer: text.optional() })

function phasesFrom(world: World, schedule: Schedule, given: readonly z.output<typeof phase>[]): SchedulePhase[] {
  const now = world.clock.seconds()
  const at = (value: z.output<typeof moment>): number => (value === 'now' ? now : value)
  let start = schedule.current_phase?.start_date ?? now
  return given.map((wanted, position) => {
    const name = `phases[${position}]`
    if (wanted.start_date !== undefined) {
      const wished = at(wanted.start_date)
      if (position > 0 && wished !== start) {
        throw wrongParam(`The start_date of phase ${position} has to be the end_date of the phase before.`, `${name}[start_date]`)
      }
      if (position === 0 && schedule.current_phase && wished !== schedule.current_phase.start_date) {
        throw invalid('You can not modify the start date of the current phase.', { param: `${name}[start_date]` })
      }
      start = wished
    }
    const items = wanted.items.map((item, index) => {
      const price = recurringPrice(world, item.price, `${name}[items][${index}][price]`)
      return { price, item: phaseItem(price.id, item.quantity) }
    })
    const [first] = items
    const interval = wanted.duration ?? (position === given.length - 1 ? first?.price.recurring : undefined)
    const end = wanted.end_date === undefined ? interval && after(start, interval) : at(wanted.end_date)
    if (end === undefined || end === null) {
      throw wrongParam(
        `You must set either \`end_date\` or \`duration\` on each phase but the last.`,
        `${name}[end_date]`,
        'parameter_missing',
      )
    }
    if (end <= start) throw wrongParam(`The end_date of a phase has to be after its start_date.`, `${name}[end_date]`)
    const built = buildPhase({
      start_date: start,
      end_date: end,
      currency: first?.price.currency ?? 'usd',
      items: items.map(({ item }) => item),
      proration_behavior: wanted.proration_behavior,
      metadata: mergeMetadata({}, wanted.metadata),
    })
    start = end
    return built
  })
}

function update(world: World, schedule: Schedule, params: z.output<typeof updateParams>): Schedule {
  requireRunning(schedule, 'update')
  const phases = params.phases && phasesFrom(world, schedule, params.phases)
  const now = world.clock.seconds()
  const current = phases?.find((each) => each.start_date <= now && now < each.end_date)
  if (phases && !current) throw invalid('The current phase can not be left out of the phases.', { param: 'phases' })
  world.change(schedule, 'subscription_schedule.updated', (changed) => {
    if (params.end_behavior !== undefined) changed.end_behavior = params.end_behavior
    changed.metadata = mergeMetadata(changed.metadata ?? {}, params.metadata)
    if (!phases || !current) return
    changed.phases = phases
    changed.current_phase = { start_date: current.start_date, end_date: current.end_date }
  })
  const subscription = schedule.subscription === null ? undefined : world.store.find('subscription', schedule.subscription)
  if (current && subscription) {
    enterPhase(world, subscription, { ...current, proration_behavior: params.proration_behavior ?? current.proration_behavior })
  }
  return schedule
}

export const scheduleRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/subscription_schedules',
    run: ({ world, params }) => {
      const { from_subscription } = parseParams(createParams, params)
      return scheduleFrom(world, world.store.get('subscription', from_subscription, 'from_subscription'))
    },
  },
  {
    method: 'GET',
    path: '/v1/subscription_schedules',
    run: ({ world, params: form }) => {
      const params = parseParams(listParams, form)
      const all = world.store.all('subscription_schedule')
      return pageOf(
        all.filter((each) => params.customer === undefined || each.customer === params.customer),
        params,
        '/v1/subscription_schedules',
      )
    },
  },
  retrieveOnly('subscription_schedule', '/v1/subscription_schedules/:'),
  {
    method: 'POST',
    path: '/v1/subscription_schedules/:',
    run: ({ world, params }, id) => update(world, world.store.get('subscription_schedule', id), parseParams(updateParams, params)),
  },
  {
    method: 'POST',
    path: '/v1/subscription_schedules/:/release',
    run: ({ world, params }, id) => {
      parseParams(releaseParams, params)
      return releaseSchedule(world, world.store.get('subscription_schedule', id))
    },
  },
  {
    method: 'POST',
    path: '/v1/subscription_schedules/:/cancel',
    run: ({ world, params }, id) => {
      parseParams(cancelParams, params)
      return cancelSchedule(world, world.store.get('subscription_schedule', id))
    },
  },
]
