import { sql } from 'kysely'
import type { ChannelName } from '../../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../../contract/delivery/delivery.ts'
import type { ReportProperty } from '../../accounts/service.ts'
import type { AlertsService, AlertTold } from '../../alerts/service.ts'
import type { Db } from '../../database/open.ts'
import type { AnalyticsService } from '../../analytics/service.ts'
import { digestMessage, itemsOf, standingOf } from '../compose.ts'
import { peopleDue, scheduleDigest, scheduleNewcomers, takeDue, tryAgain } from './digest-schedules.ts'
import { suppress, told, type WaitingNews, write } from '../outbox.ts'
import { closedReason, type PlanDeps, pushedBackMs } from '../plan-alerts.ts'

export type DigestDeps = PlanDeps & {
  analytics: Pick<AnalyticsService, 'metrics'>
  alerts: Pick<AlertsService, 'tell' | 'explain' | 'openCounts'>
}

const batch = 100

/** Channels that digests go through; software is told of everything as it happens. */
const digestChannels = ['email', 'slack', 'sms'] as const satisfies readonly ChannelName[]

/** Writes the digests that are due, one for each person and channel, however long ago they were due. Answers how many. */
export async function planDigests(deps: DigestDeps, now: Date): Promise<number> {
  await scheduleNewcomers(deps, now)
  let written = 0
  for (;;) {
    let taken = 0
    for (const { userId } of await peopleDue(deps.db, now, batch)) {
      const outcome = await digestOf(deps, userId, now).catch((error: unknown) => pushBack(deps, userId, now, error))
      taken += outcome === null ? 0 : 1
      written += outcome ?? 0
    }
    if (taken === 0) return written
  }
}

/** One person's trouble does not keep the digests of others waiting. */
async function pushBack({ db, log }: DigestDeps, userId: string, now: Date, error: unknown): Promise<null> {
  log.error({ err: error, userId }, 'a digest could not be put together and is tried again later')
  await tryAgain(db, userId, new Date(now.getTime() + pushedBackMs))
  return null
}

/** Answers how many messages were written; null when somebody else has this person in hand. */
async function digestOf(deps: DigestDeps, userId: string, now: Date): Promise<number | null> {
  return deps.db.transaction().execute(async (trx) => {
    const due = await takeDue(trx, userId, now)
    if (due === null) return null
    const settings = await deps.settingsOf(userId, trx)
    const { frequency } = settings
    const written = due.isFar || frequency === 'instant' ? 0 : await writeDigests(deps, { userId, settings, frequency }, now, trx)
    const last = written > 0 && frequency !== 'instant' ? { at: countedFrom(due.dueAt, frequency, now), frequency } : due.last
    await scheduleDigest(trx, userId, settings, last, now)
    return written
  })
}

const dayMs = 24 * 3_600_000

/** A digest counts from when it was due, but a weekly one that came days late, say because no server ran, keeps the next one at a distance. */
const countedFrom = (dueAt: Date, frequency: 'daily' | 'weekly', now: Date): Date =>
  frequency === 'weekly' && now.getTime() - dueAt.getTime() > dayMs ? now : dueAt

type Reader = { userId: string; settings: DeliverySettings; frequency: 'daily' | 'weekly' }

async function writeDigests(deps: DigestDeps, { userId, settings, frequency }: Reader, now: Date, trx: Db): Promise<number> {
  const waiting = await waitingFor(trx, userId)
  const alerts = new Map(
    (await deps.alerts.tell([...new Set(waiting.map(({ alertId }) => String(alertId)))], trx)).map((each) => [each.alertId, each]),
  )
  const sections = await standings(deps, userId, trx)
  const listed = new Set(sections.map(({ id }) => id))
  const unlisted = waiting.filter(({ propertyId }) => !listed.has(propertyId))
  await suppress(trx, unlisted, 'The property was no longer monitored when this was due.')
  let written = 0
  for (const channel of digestChannels) {
    const news = waiting.filter((each) => each.channel === channel && listed.has(each.propertyId))
    if (!settings[`${channel}Enabled`] && news.length === 0) continue
    const closed = await closedReason(deps, { userId, channel, settings }, trx)
    if (closed !== null) {
      // What cannot be mailed yet comes with the first digest after the address was confirmed.
      if (closed !== 'unconfirmed') await suppress(trx, news, closed.suppressed)
      continue
    }
    const message = digestMessage(
      frequency,
      sections.map(({ id, ...section }) => ({ ...section, items: itemsOf(heardOf(id, news, alerts)) })),
    )
    const hasNews = message.properties.some(({ items }) => items.length > 0)
    const isWorthIt = settings.digestWhenQuiet && message.properties.some(({ standing }) => standing !== null)
    // A text message that says that nothing happened would be noise.
    if (!hasNews && (channel === 'sms' || !isWorthIt)) continue
    const id = await write(trx, { userId, propertyId: null, channel, message }, now)
    await told(trx, news, id)
    written += 1
  }
  return written
}

type Waiting = WaitingNews & { propertyId: number }

const waitingFor = (trx: Db, userId: string): Promise<Waiting[]> =>
  trx
    .selectFrom('deliveryNews')
    .where('userId', '=', userId)
    .where('state', '=', 'waiting')
    .where('notBefore', 'is', null)
    .select(['id', 'alertId', 'propertyId', 'channel', 'event'])
    .orderBy('id')
    .forUpdate()
    .execute()

const heardOf = (propertyId: number, news: readonly Waiting[], alerts: ReadonlyMap<string, AlertTold>) =>
  news.flatMap(({ propertyId: about, alertId, event }) => {
    const alert = alerts.get(String(alertId))
    return about === propertyId && alert ? [{ event, alert }] : []
  })

/** How each of a person's monitored properties did. */
async function standings({ analytics, alerts }: DigestDeps, userId: string, trx: Db) {
  const properties = await trx
    .selectFrom('properties')
    .innerJoin('propertySyncs', 'propertySyncs.propertyId', 'properties.id')
    .where('properties.userId', '=', userId)
    .where('properties.monitored', '=', true)
    .where('properties.detachedAt', 'is', null)
    .select(['properties.id', 'properties.name', 'propertySyncs.completeThrough', 'propertySyncs.factsVersion'])
    .orderBy(sql`properties.name`)
    .execute()
  const open = await alerts.openCounts(
    properties.map(({ id }) => id),
    trx,
  )
  return Promise.all(
    properties.map(async (property: ReportProperty) => {
      const metrics = await analytics.metrics(property)
      return { id: property.id, name: property.name, standing: metrics && standingOf(metrics), open: open.get(property.id) ?? 0 }
    }),
  )
}
