import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { IsoDate } from '../../contract/common.ts'
import type { ReportKind } from '../../contract/reports/periodic.ts'
import type { NewReportShare, ReportShare, ReportShareMade, reportShares } from '../../contract/reports/reports.ts'
import { reportPeriodOf } from '../../core/analytics/report-periods.ts'
import { whiteLabelRefusal } from '../../core/billing/entitlements.ts'
import { type AccountsService, holdPerson, type Person } from '../accounts/service.ts'
import { recordEvent } from '../audit/record.ts'
import type { StoredSegment } from '../database/annotation-tables.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import { rememberShown } from '../common/shown-to-others.ts'
import type { Clock } from '../platform/clock.ts'
import type { Vault } from '../platform/secrets.ts'
import { latestOf } from './compose-reports.ts'
import type { PeriodicReports } from './periodic-reports.ts'
import { findSubject, idOf, type SubjectIds, askedSegment, type Saved, storedSegment, titleWith } from './subjects.ts'

export type SharesDeps = {
  db: Db
  vault: Vault
  accounts: Pick<AccountsService, 'person'>
  periodic: Pick<PeriodicReports, 'periods'>
  saved: Saved
  baseUrl: () => string
  clock: Clock
}

type Linked = SubjectIds & { segment: StoredSegment | null; userId: string; kind: ReportKind; start: IsoDate }

const dayMs = 24 * 3_600_000
/** Maximum per person: all of them are returned at once. */
const mostShares = 500
/** Binds encrypted data to its use (platform/secrets.ts). */
export const sealContext = 'report-share'
const unknown = () => new Refusal(404, "This link doesn't exist or isn't yours.")

/** Links are found by their token's hash, so reading the database reveals none. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Links to one report each, open to whoever has them. */
export function createShares({ db, vault, accounts, periodic, saved, baseUrl, clock }: SharesDeps) {
  const ofPerson = (trx: Db, userId: string) => trx.selectFrom('reportShares').where('userId', '=', userId)
  const linkOf = (token: string): string => `${baseUrl()}/shared/${token}`
  /** Null if it was encrypted with a lost key: the link still works, but can't be shown again. */
  const urlOf = (sealed: string): string | null => {
    const token = vault.find(sealed, sealContext)
    return token === null ? null : linkOf(token)
  }

  async function list(userId: string, trx: Db = db): Promise<ReportShare[]> {
    const rows = await ofPerson(trx, userId)
      .select(['id', 'title', 'kind', 'periodStart', 'periodEnd', 'tokenSealed', 'createdAt', 'expiresAt', 'views', 'lastViewedAt'])
      .orderBy('id', 'desc')
      .execute()
    return rows.map(({ id, title, kind, periodStart, periodEnd, tokenSealed, createdAt, expiresAt, views, lastViewedAt }) => ({
      id: String(id),
      title,
      kind,
      period: { start: periodStart, end: periodEnd },
      url: urlOf(tokenSealed),
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      views,
      lastViewedAt: lastViewedAt?.toISOString() ?? null,
    }))
  }

  return {
    list: async ({ id, plan }: Person): Promise<z.infer<typeof reportShares>> => ({
      locked: whiteLabelRefusal(plan),
      shares: await list(id),
    }),

    /**
     * @throws Refusal 400 for a wrong first day, 403 if the plan has none, 404 for what isn't theirs, 409 while there is nothing to show
     */
    async add(person: Person, { subject: asked, segment: segmentId, kind, start, days }: NewReportShare): Promise<ReportShareMade> {
      const locked = whiteLabelRefusal(person.plan)
      if (locked !== null) throw new Refusal(403, locked)
      if (start !== undefined && reportPeriodOf(kind, start).start !== start)
        throw new Refusal(400, `No ${kind} starts on ${start}.`, 'start')
      const subject = await findSubject(db, person.id, asked)
      if (!subject) throw new Refusal(404, "That isn't one of your properties or clients.", 'subject')
      const segment = await askedSegment(saved, person.id, segmentId)
      const all = await Promise.all(subject.properties.map((property) => periodic.periods(property, kind)))
      const latest = await latestOf(periodic, subject, kind, clock.now())
      const period = start === undefined ? latest : (all.flat().find((each) => each.start === start) ?? null)
      if (!period) throw new Refusal(409, `There's no full ${kind} of data yet. Try again when the data is complete.`, 'start')

      const now = clock.now()
      const token = randomBytes(32).toString('base64url')
      return db.transaction().execute(async (trx) => {
        await holdPerson(trx, person)
        if ((await list(person.id, trx)).length >= mostShares)
          throw new Refusal(409, `You've reached the limit of ${mostShares} links. Revoke some first.`)
        const { id } = await trx
          .insertInto('reportShares')
          .values({
            userId: person.id,
            propertyId: subject.propertyId,
            clientId: subject.clientId,
            title: titleWith(subject.title, segment),
            segment: storedSegment(segment),
            kind,
            periodStart: period.start,
            periodEnd: period.end,
            tokenHash: hashOf(token),
            tokenSealed: vault.seal(token, sealContext),
            createdAt: now,
            expiresAt: new Date(now.getTime() + days * dayMs),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const added = (await list(person.id, trx)).find((share) => share.id === String(id))
        if (!added) throw unknown()
        const details = { report: added.title, until: added.expiresAt }
        await recordEvent(trx, person.id, { kind: 'share-created', details }, now)
        return { ...added, url: linkOf(token) }
      })
    },

    /** Revokes it; allowed on every plan. @throws Refusal 404 if it isn't theirs */
    async remove(person: Person, shareId: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await rememberShown(trx, person.id, clock.now())
        const ofTheirs = trx.deleteFrom('reportShares').where('id', '=', idOf(shareId)).where('userId', '=', person.id)
        const removed = await ofTheirs.returning('title').executeTakeFirst()
        if (!removed) throw unknown()
        await recordEvent(trx, person.id, { kind: 'share-withdrawn', details: { report: removed.title } }, clock.now())
      })
    },

    /** The report's link that lasts longest; null if its owner made none, or their plan has no links. */
    async linkTo({ userId, propertyId, clientId, segment, kind, start }: Linked): Promise<string | null> {
      const person = await accounts.person(userId)
      if (!person || whiteLabelRefusal(person.plan) !== null) return null
      const row = await ofPerson(db, userId)
        .where('propertyId', 'is not distinct from', propertyId)
        .where('clientId', 'is not distinct from', clientId)
        .where(sql`segment->>'content'`, 'is not distinct from', segment?.content ?? null)
        .where('kind', '=', kind)
        .where('periodStart', '=', start)
        .where('expiresAt', '>', clock.now())
        .select('tokenSealed')
        .orderBy('expiresAt', 'desc')
        .executeTakeFirst()
      return row ? urlOf(row.tokenSealed) : null
    },
  }
}
export type Shares = ReturnType<typeof createShares>
