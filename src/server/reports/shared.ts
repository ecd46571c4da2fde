import type { Selectable } from 'kysely'
import type { Note } from '../../contract/annotations.ts'
import type { Period } from '../../contract/metrics.ts'
import type { SharedReport } from '../../contract/reports/reports.ts'
import { whiteLabelRefusal } from '../../core/billing/entitlements.ts'
import type { AccountsService, Person } from '../accounts/service.ts'
import type { AnnotationsService } from '../annotations/service.ts'
import type { Db } from '../database/open.ts'
import type { ReportSharesTable } from '../database/report-tables.ts'
import { Refusal } from '../common/errors.ts'
import type { Clock } from '../platform/clock.ts'
import { attachment } from '../platform/file-names.ts'
import { createFairShare, TooManyWishes } from '../platform/fair-share.ts'
import { forTenant, nameTenant } from '../platform/tenant.ts'
import { type BrandInForce, type Brands, shownBrand } from './brands.ts'
import { type Composed, composeReports } from './compose-reports.ts'
import { drawPdf } from './draw-pdf.ts'
import type { PeriodicReports } from './periodic-reports.ts'
import { reportFileName } from './report-file-name.ts'
import { hashOf } from './shares.ts'
import { forgetSharedFiles } from './sweep.ts'
import { loadSubject, type Subject } from './subjects.ts'

export type SharedDeps = {
  db: Db
  accounts: Pick<AccountsService, 'person'>
  annotations: Pick<AnnotationsService, 'forOthers'>
  periodic: PeriodicReports
  brands: Brands
  clock: Clock
}

type Share = Pick<
  Selectable<ReportSharesTable>,
  'id' | 'userId' | 'propertyId' | 'clientId' | 'kind' | 'periodStart' | 'periodEnd' | 'expiresAt' | 'pdfKey'
>
type Opened = { share: Share; person: Person; subject: Subject; brand: BrandInForce | null }

/** PDFs of one owner's links that wait to be drawn for visitors. */
const waitingPerOwner = 10
/** One answer for whatever the reason is: nobody learns whether there ever was such a link. */
const gone = () => new Refusal(404, 'This link expired or was revoked. Ask the person who sent it for a new one.')

const busy = () => new Refusal(429, 'Many people are opening these reports right now. Please try again in a minute.')

/** Reports for whoever has their link, as long as its owner's plan covers it. */
export function createShared({ db, accounts, annotations, periodic, brands, clock }: SharedDeps) {
  const columns = ['id', 'userId', 'propertyId', 'clientId', 'kind', 'periodStart', 'periodEnd', 'expiresAt', 'pdfKey'] as const

  /** @throws Refusal 404 */
  async function open(token: string): Promise<Opened> {
    const share = await db
      .selectFrom('reportShares')
      .where('tokenHash', '=', hashOf(token))
      .where('expiresAt', '>', clock.now())
      .select(columns)
      .executeTakeFirst()
    const person = share && (await accounts.person(share.userId))
    if (!share || !person || whiteLabelRefusal(person.plan) !== null) throw gone()
    // Whoever looks at it, what is read for it is read for its owner.
    nameTenant(person.id)
    const subject = await loadSubject(db, share.userId, share)
    if (!subject) throw gone()
    return { share, person, subject, brand: await brands.inForce(person) }
  }

  /** @throws Refusal 404 when nothing is left to show */
  async function compose({ share, person, subject }: Opened): Promise<Composed> {
    const composed = await composeReports(periodic, person, subject, { kind: share.kind, start: share.periodStart })
    if (composed.reports.length === 0) throw gone()
    return composed
  }

  /** A note that its owner takes out of reports leaves the file at once. */
  const notesOf = async ({ person, subject }: Opened, period: Period): Promise<Note[]> =>
    (await Promise.all(subject.properties.map(({ id }) => annotations.forOthers(person.id, id, period)))).flatMap(({ notes }) => notes)

  const drawing = new Map<string, Promise<Buffer>>()
  const oneAtATime = createFairShare({ places: 1, perTenant: 1, waitingPerTenant: waitingPerOwner })

  /** One after the other, owners by turns, and each only once, however many ask and whoever of them goes away. */
  function draw(opened: Opened, key: string): Promise<Buffer> {
    const { share, person, subject, brand } = opened
    const known = drawing.get(key)
    if (known) return known
    const make = async (): Promise<Buffer> => {
      const composed = await compose(opened)
      const period = { start: share.periodStart, end: share.periodEnd }
      const pdf = Buffer.from(await drawPdf({ title: subject.title, kind: share.kind, period, paper: 'a4', brand, ...composed }))
      await db.updateTable('reportShares').set({ pdf, pdfKey: key }).where('id', '=', share.id).execute()
      await forgetSharedFiles(db, share.userId, share.id)
      return pdf
    }
    const work = forTenant(person.id, () => oneAtATime.run(person.id, make))
      .catch((error: unknown) => Promise.reject(error instanceof TooManyWishes ? busy() : error))
      .finally(() => drawing.delete(key))
    drawing.set(key, work)
    return work
  }

  return {
    /** Counts as a view. @throws Refusal 404 */
    async view(token: string): Promise<SharedReport> {
      const opened = await open(token)
      const { share, subject, brand } = opened
      const composed = await compose(opened)
      await db
        .updateTable('reportShares')
        .set((eb) => ({ views: eb('views', '+', 1), lastViewedAt: clock.now() }))
        .where('id', '=', share.id)
        .execute()
      return {
        title: subject.title,
        brand: brand && shownBrand(brand),
        kind: share.kind,
        period: { start: share.periodStart, end: share.periodEnd },
        expiresAt: share.expiresAt.toISOString(),
        ...composed,
      }
    },

    /** Kept until something that it shows may have changed. @throws Refusal 404, 429 */
    async file(token: string): Promise<{ pdf: Buffer; disposition: string }> {
      const opened = await open(token)
      const { share, subject } = opened
      const period = { start: share.periodStart, end: share.periodEnd }
      const key = keyOf(opened, await notesOf(opened, period), clock.now())
      const kept =
        share.pdfKey === key ? await db.selectFrom('reportShares').where('id', '=', share.id).select('pdf').executeTakeFirst() : undefined
      const pdf = kept?.pdf ?? (await draw(opened, key))
      return { pdf, disposition: attachment(reportFileName(subject.title, period)) }
    },
  }
}
export type Shared = ReturnType<typeof createShared>

/** Figures, names and brand have versions; what became of alerts has none, so that a file is good for a day at most. */
const keyOf = ({ share, subject, brand }: Opened, notes: readonly Note[], now: Date): string =>
  hashOf(
    JSON.stringify([
      share.id,
      subject.title,
      subject.properties.map(({ id, name, factsVersion }) => [id, name, factsVersion]),
      brand?.updatedAt ?? null,
      notes,
      now.toISOString().slice(0, 10),
    ]),
  )
