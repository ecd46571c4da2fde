import { sql } from 'kysely'
import type { ChannelName } from '../../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../../contract/delivery/delivery.ts'
import type { ReportProperty } from '../../accounts/service.ts'
import type { AlertsService } from '../../alerts/service.ts'
import type { Db } from '../../database/open.ts'
import type { AnalyticsService } from '../../analytics/service.ts'
import { WaitedTooLong } from '../../platform/active-time.ts'
import { forTenantInTime } from '../../platform/tenant.ts'
import { digestMessage, itemsOf, standingOf } from '../compose.ts'
import { alertsOf, dueAlertsOf, knownBy, overtakenBy, untoldOf } from '../due-alerts.ts'
import { digestsDue, scheduleDigest, scheduleNewcomers, takeDue, tryAgain, type WaitingDigest } from './digest-schedules.ts'
import {
  mostSevere,
  suppress,
  suppressAll,
  suppressCounted,
  suppressParts,
  suppressTurnedOff,
  forgetUntold,
  markCovered,
  type WaitingAnnouncement,
  write,
} from '../pending.ts'
import type { MessageItem } from '../message.ts'
import { isOver } from '../outbound/copy.ts'
import { explainInTime, type Known } from '../reasons.ts'
import { closedReason, type PlanDeps, usual } from '../plan-alerts.ts'

export type DigestDeps = PlanDeps & {
  analytics: Pick<AnalyticsService, 'allMetrics'>
  alerts: Pick<AlertsService, 'forMessages' | 'explain' | 'openCounts'>
}

const batch = 100
/** Channels with digests; webhooks get everything as it happens. */
const digestChannels = ['email', 'slack', 'sms'] as const satisfies readonly ChannelName[]

/**
 * Writes the due digests, one per person and channel, however long ago they were due. Pauses when its time is up, for messages to be sent.
 * Returns how many were written, and whether another call may find more.
 * @param waited people whose queries waited too long behind others'; they are left until everybody else has had a turn
 */
export async function planDigests(deps: DigestDeps, now: Date, waited = new Set<string>()): Promise<{ written: number; more: boolean }> {
  const ends = performance.now() + (deps.limits?.sliceMs ?? usual.sliceMs)
  await scheduleNewcomers(deps, now)
  let written = 0
  let failedAgain = false
  for (;;) {
    let taken = 0
    const due = await digestsDue(deps.db, now, batch, [...waited])
    for (const digest of due) {
      const isOwed = digest.owedSince !== null
      // Everybody's alert messages wait meanwhile, so other digests that failed before are retried at the next check.
      if (isOwed && failedAgain) continue
      const outcome = await digestOf(deps, digest.userId, now).catch((error: unknown) => {
        if (error instanceof WaitedTooLong) waited.add(digest.userId)
        else failedAgain ||= isOwed
        return pushBack(deps, digest, now, error)
      })
      taken += outcome === null ? 0 : 1
      written += outcome ?? 0
      // After at least one digest, so that everybody gets a turn. Overdue digests come last.
      if (performance.now() >= ends) return { written, more: !failedAgain }
    }
    if (due.length === 0) waited.clear()
    if (taken === 0) return { written, more: false }
  }
}

/** One person's problem must not hold up others' digests. */
async function pushBack({ db, log }: DigestDeps, digest: WaitingDigest, now: Date, error: unknown): Promise<null> {
  const { userId } = digest
  if (error instanceof WaitedTooLong) {
    log.info({ userId }, 'the figures of a digest waited too long behind other queries; it stays due')
  } else {
    log.error({ err: error, userId }, 'a digest could not be composed; will retry')
    await tryAgain(db, digest, now)
  }
  return null
}

/** Returns how many messages were written; null if another process is handling this person. */
async function digestOf(deps: DigestDeps, userId: string, now: Date): Promise<number | null> {
  // At the person's own cost, and before any row is locked: there may be thousands of properties. For less time than
  // their other queries may take, since everybody's messages wait meanwhile.
  const { figuresMs: activeMs, figuresWaitMs: waitMs } = { ...usual, ...deps.limits }
  const properties = await monitored(deps.db, userId)
  const figures = await forTenantInTime(userId, { activeMs, waitMs }, () => deps.analytics.allMetrics(properties))
  const known = await reasonsOf(
    deps,
    userId,
    properties.map(({ id }) => id),
  )
  return deps.db.transaction().execute(async (trx) => {
    const due = await takeDue(trx, userId, now)
    if (due === null) return null
    const settings = await deps.settingsOf(userId, trx)
    const { frequency } = settings
    const written =
      due.isFar || frequency === 'instant' ? 0 : await writeDigests(deps, { userId, settings, frequency, figures, known }, now, trx)
    const last = written > 0 && frequency !== 'instant' ? { at: countedFrom(due.dueAt, frequency, now), frequency } : due.last
    await scheduleDigest(trx, userId, settings, last, now)
    return written
  })
}

const dayMs = 24 * 3_600_000

/**
 * A digest counts from when it was due, but a weekly one sent days late, for example because no server was running, keeps its interval to
 * the next.
 */
const countedFrom = (dueAt: Date, frequency: 'daily' | 'weekly', now: Date): Date =>
  frequency === 'weekly' && now.getTime() - dueAt.getTime() > dayMs ? now : dueAt

type Figures = Awaited<ReturnType<AnalyticsService['allMetrics']>>
type Reader = { userId: string; settings: DeliverySettings; frequency: 'daily' | 'weekly'; figures: Figures; known: Known }

/** Maximum number of alerts in a digest whose main cause is looked up: an email has room for no more. */
const mostExplained = 3
const explained = ['email', 'slack'] as const

/** The main causes of the alerts that a digest is going to name first. Finding them takes time, so no row is locked meanwhile. */
async function reasonsOf(deps: DigestDeps, userId: string, listed: readonly number[]): Promise<Known> {
  const known: Known = new Map()
  await explainInTime(deps, userId, deps.limits?.explainMs ?? usual.explainMs, known, async () => {
    const named: MessageItem[] = []
    for (const channel of explained) {
      const { announcements } = await mostSevere(deps.db, { userId, channel, propertyId: null, isDue: waitsFor(listed) }, 'none')
      const timely = announcements.filter(({ partOf, event }) => partOf === null && event !== 'recovered')
      const alerts = await alertsOf(deps, timely, deps.db)
      const properties = new Set(timely.map(({ propertyId }) => propertyId))
      const items = [...properties].flatMap((id) =>
        itemsOf(dueAlertsOf(channel, about(id, timely), alerts)).flatMap((item, at) => (isOver(item) ? [] : [{ item, at }])),
      )
      // The first of each property, then the second of each, as an email names them.
      named.push(
        ...items
          .toSorted((a, b) => a.at - b.at)
          .slice(0, mostExplained)
          .map(({ item }) => item),
      )
    }
    return named
  })
  return known
}

const withWhy = (items: readonly MessageItem[], known: Known): MessageItem[] =>
  items.map((item) => {
    const why = known.get(item.alertId)?.why
    return why && !isOver(item) ? { ...item, why } : item
  })

async function writeDigests(deps: DigestDeps, reader: Reader, now: Date, trx: Db): Promise<number> {
  const { userId, settings, frequency, figures, known } = reader
  const sections = await standings(deps, userId, figures, trx)
  const listed = sections.map(({ id }) => id)
  let written = 0
  for (const channel of digestChannels) {
    const all = { userId, channel, propertyId: null, isDue: waitsFor(listed) }
    const unlisted = { ...all, isDue: sql<boolean>`${waitsForDigest} AND ${isLeft}` }
    await suppressAll(trx, unlisted, 'The property was no longer monitored when this was due.')
    await suppressParts(trx, all)
    const closed = await closedReason(deps, { userId, channel, settings }, trx)
    if (closed === null) await suppressTurnedOff(trx, all, settings)
    const waiting = await mostSevere(trx, all, 'all')
    const { announcements, count } = waiting
    if (closed !== null) {
      // What can't be emailed yet comes with the first digest after the address is confirmed.
      if (closed !== 'unconfirmed' && count > 0) await suppressAll(trx, all, closed.suppressed)
      continue
    }
    const alerts = await alertsOf(deps, announcements, trx)
    await forgetUntold(trx, untoldOf(channel, announcements, alerts))
    // Nobody is interrupted for what is over or handled by now; other messages say so.
    const reasonOf = channel === 'sms' ? overtakenBy : knownBy
    const late = Map.groupBy(announcements, (each) => reasonOf(channel, each, alerts))
    for (const [reason, some] of late) if (reason !== undefined) await suppress(trx, some, reason)
    const timely = late.get(undefined) ?? []
    const properties = sections.map(({ id, ...section }) => ({
      ...section,
      items: withWhy(itemsOf(dueAlertsOf(channel, about(id, timely), alerts)), known),
    }))
    const message = digestMessage(frequency, properties, count - announcements.length)
    const hasItems = message.properties.some(({ items }) => items.length > 0)
    const isWorthIt = settings.digestWhenQuiet && message.properties.some(({ standing }) => standing !== null)
    // A text message saying that nothing happened would be noise.
    if (!hasItems && (channel === 'sms' || !isWorthIt)) continue
    const id = await write(trx, { userId, propertyId: null, channel, message }, now)
    await markCovered(trx, timely, id)
    await suppressCounted(trx, all, waiting)
    written += 1
  }
  return written
}

const waitsForDigest = sql<boolean>`delivery_news.not_before IS NULL`
/** Announcements for a digest that lists these properties. */
const waitsFor = (listed: readonly number[]) => sql<boolean>`${waitsForDigest} AND delivery_news.property_id = any(${listed})`
/** About a property that its owner stopped monitoring. What a smaller plan paused stays open; its announcements wait until it resumes. */
const isLeft = sql<boolean>`EXISTS (SELECT FROM properties
  WHERE properties.id = delivery_news.property_id AND NOT properties.monitored AND properties.paused_at IS NULL)`

const about = (propertyId: number, announcements: readonly WaitingAnnouncement[]) =>
  announcements.filter((each) => each.propertyId === propertyId)

const monitored = (db: Db, userId: string): Promise<ReportProperty[]> =>
  db
    .selectFrom('properties')
    .innerJoin('propertySyncs', 'propertySyncs.propertyId', 'properties.id')
    .where('properties.userId', '=', userId)
    .where('properties.monitored', '=', true)
    .where('properties.detachedAt', 'is', null)
    .select(['properties.id', 'properties.name', 'propertySyncs.completeThrough', 'propertySyncs.factsVersion'])
    .orderBy(sql`properties.name`)
    .execute()

/** How each of a person's monitored properties did. */
async function standings({ alerts }: DigestDeps, userId: string, figures: Figures, trx: Db) {
  const properties = await monitored(trx, userId)
  const open = await alerts.openCounts(
    properties.map(({ id }) => id),
    trx,
  )
  return properties.map(({ id, name }) => {
    const metrics = figures.get(id)
    return { id, name, standing: metrics ? standingOf(metrics) : null, open: open.get(id) ?? 0 }
  })
}
