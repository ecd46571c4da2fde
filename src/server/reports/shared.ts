import type { Selectable } from 'kysely'
import type { Note } from '../../contract/annotations.ts'
import type { Period } from '../../contract/metrics.ts'
import type { SharedReport } from '../../contract/reports/reports.ts'
import { whiteLabelRefusal } from '../../core/billing/entitlements.ts'
import type { AccountsService, Person } from '../accounts/service.ts'
import type { AnnotationsService } from '../annotations/service.ts'
import type { Db } from '../database/open.ts'
import type { ReportSharesTable } from '../database/report-tables.ts'
import { createAnswerCache } from '../common/answer-cache.ts'
import { Refusal } from '../common/errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { attachment } from '../platform/file-names.ts'
import { ahead, createFairShare, TooManyRequests } from '../platform/fair-share.ts'
import { forTenant, holdsSlotNow, nameOwner } from '../platform/tenant.ts'
import { type BrandInForce, type ReportBrands, shownBrand } from './brands.ts'
import { type Composed, composeReports } from './compose-reports.ts'
import { drawPdf } from './draw-pdf.ts'
import type { PeriodicReports } from './periodic-reports.ts'
import { reportFileName } from './report-file-name.ts'
import { hashOf } from './shares.ts'
import { forgetSharedFiles } from './sweep.ts'
import { loadSubject, type Subject, titleWith } from './subjects.ts'

export type SharedDeps = {
  db: Db
  accounts: Pick<AccountsService, 'person'>
  annotations: Pick<AnnotationsService, 'notesForOthers'>
  periodic: PeriodicReports
  brands: ReportBrands
  clock: Clock
  log: Log
}

type Share = Pick<
  Selectable<ReportSharesTable>,
  'id' | 'userId' | 'propertyId' | 'clientId' | 'segment' | 'kind' | 'periodStart' | 'periodEnd' | 'expiresAt' | 'pdfKey'
>
type Opened = { share: Share; person: Person; subject: Subject; brand: BrandInForce | null }

/**
 * Owners whose figures are gathered at once, so that none waits for another's slow question; rendering is one at a time
 * (pdf/render-pdf.ts).
 */
const filesAtOnce = 3
/** Maximum number of PDFs of one owner's links waiting to be made for visitors. */
const waitingPerOwner = 10
/** Reports of one owner being gathered for pages at once, and waiting: each may ask hundreds of questions. */
const gathering = { places: Infinity, perTenant: 2, waitingPerTenant: 50 }
/** Alert states have no version, so a page is composed again after this long. */
const pageMs = 10 * 60_000
const mebibyte = 1024 ** 2
/** The page of many properties with long names may exceed an owner's share, but must not be gathered again for every visitor. */
const keptPages = { entries: 1_000, bytes: 32 * mebibyte, bytesOfTenant: 8 * mebibyte, bytesOfLast: 24 * mebibyte }
/** One answer for every reason: nobody learns whether such a link ever existed. */
const gone = () => new Refusal(404, 'This link expired or was revoked. Ask the person who sent it for a new one.')

const busy = () => new Refusal(429, 'Many people are opening these reports right now. Please try again in a minute.')

/** Rendering the PDF took too long or too much memory. */
export class NotDrawn extends Refusal {
  constructor() {
    super(409, "The PDF of this report couldn't be created. The web page shows everything in it. You can try again in an hour.")
  }
}
/** A failed drawing may have kept the thread that draws for everybody for two minutes. */
const notAgainMs = 3_600_000
const mostFailures = 1_000

/**
 * Makes the files of links, an owner's one by one, and each only once, no matter how many ask or who disconnects. One that could not be
 * rendered isn't tried again for an hour.
 */
export function createDrawings(clock: Clock) {
  const drawing = new Map<string, Promise<Buffer>>()
  /** When they failed, the oldest first. */
  const failed = new Map<string, number>()
  const turns = createFairShare({ places: filesAtOnce, perTenant: 1, waitingPerTenant: waitingPerOwner, isScarce: true })

  function remember(key: string): void {
    failed.delete(key)
    failed.set(key, clock.now().getTime())
    const [oldest] = failed.keys()
    if (failed.size > mostFailures && oldest !== undefined) failed.delete(oldest)
  }

  /** @throws Refusal 409 if it can't be drawn, 429 if too many of this owner's files wait */
  return async (owner: string, key: string, make: () => Promise<Buffer>): Promise<Buffer> => {
    const known = drawing.get(key)
    if (known) return known
    if (clock.now().getTime() - (failed.get(key) ?? -Infinity) < notAgainMs) throw new NotDrawn()
    const work = forTenant(owner, () => turns.run(owner, make))
      .catch((error: unknown) => {
        if (error instanceof NotDrawn) remember(key)
        throw error instanceof TooManyRequests ? busy() : error
      })
      .finally(() => drawing.delete(key))
    drawing.set(key, work)
    return work
  }
}

/** Reports for whoever has their link, while the owner's plan includes it. */
export function createShared({ db, accounts, annotations, periodic, brands, clock, log }: SharedDeps) {
  const columns = ['id', 'userId', 'propertyId', 'clientId', 'segment', 'kind', 'periodStart', 'periodEnd', 'expiresAt', 'pdfKey'] as const

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
    // Whoever views it, the data is read on the owner's account; but how slowly a visitor reads it is not the owner's business.
    nameOwner(person.id)
    const subject = await loadSubject(db, share.userId, share)
    if (!subject) throw gone()
    return { share, person, subject, brand: await brands.inForce(person) }
  }

  const pages = createAnswerCache(keptPages)
  const turns = createFairShare(gathering)

  /**
   * Gathered once for everyone who opens the link or its file, no matter who disconnects: viewers must not use up the owner's questions.
   * @throws Refusal 404 if there is nothing left to show, 429 if too many of this owner's reports wait
   */
  async function compose({ share, person, subject }: Opened, key: string): Promise<Composed> {
    const about = { kind: share.kind, start: share.periodStart, segment: share.segment }
    const made = () => composeReports(periodic, person, subject, about)
    const gather = () => turns.run(person.id, made, holdsSlotNow() ? ahead : {})
    const since = Math.floor(clock.now().getTime() / pageMs)
    const composed = await forTenant(person.id, () => pages.get(`${key} ${since}`, gather)).catch((error: unknown) => {
      throw error instanceof TooManyRequests ? busy() : error
    })
    if (composed.reports.length === 0) throw gone()
    return composed
  }

  /** A note excluded from reports by its owner leaves the file at once. */
  const notesOf = ({ person, subject }: Opened, period: Period): Promise<Note[]> =>
    annotations.notesForOthers(
      person.id,
      subject.properties.map(({ id }) => id),
      period,
    )

  const keyOf = async (opened: Opened): Promise<string> => {
    const { periodStart: start, periodEnd: end } = opened.share
    return contentKey(opened, await notesOf(opened, { start, end }), clock.now())
  }

  const drawings = createDrawings(clock)

  const draw = (opened: Opened, key: string): Promise<Buffer> =>
    drawings(opened.person.id, key, async () => {
      const { share, subject, brand } = opened
      const composed = await compose(opened, key)
      const period = { start: share.periodStart, end: share.periodEnd }
      const drawn = await drawPdf({
        title: titleWith(subject.title, share.segment),
        kind: share.kind,
        period,
        paper: 'a4',
        brand,
        ...composed,
      }).catch((error: unknown) => {
        log.error({ err: error, share: share.id }, 'the PDF of a shared link could not be rendered')
        throw new NotDrawn()
      })
      const pdf = Buffer.from(drawn)
      await db.updateTable('reportShares').set({ pdf, pdfKey: key }).where('id', '=', share.id).execute()
      await forgetSharedFiles(db, share.userId, share.id)
      return pdf
    })

  return {
    /** Counts as a view. @throws Refusal 404 */
    async view(token: string): Promise<SharedReport> {
      const opened = await open(token)
      const { share, subject, brand } = opened
      const composed = await compose(opened, await keyOf(opened))
      await db
        .updateTable('reportShares')
        .set((eb) => ({ views: eb('views', '+', 1), lastViewedAt: clock.now() }))
        .where('id', '=', share.id)
        .execute()
      return {
        title: titleWith(subject.title, share.segment),
        brand: brand && shownBrand(brand),
        kind: share.kind,
        period: { start: share.periodStart, end: share.periodEnd },
        expiresAt: share.expiresAt.toISOString(),
        ...composed,
      }
    },

    /** Kept until something shown in it may have changed. @throws Refusal 404, 409, 429 */
    async file(token: string): Promise<{ pdf: Buffer; disposition: string }> {
      const opened = await open(token)
      const { share, subject } = opened
      const period = { start: share.periodStart, end: share.periodEnd }
      const key = await keyOf(opened)
      const kept =
        share.pdfKey === key ? await db.selectFrom('reportShares').where('id', '=', share.id).select('pdf').executeTakeFirst() : undefined
      const pdf = kept?.pdf ?? (await draw(opened, key))
      return { pdf, disposition: attachment(reportFileName(titleWith(subject.title, share.segment), period)) }
    },
  }
}
export type Shared = ReturnType<typeof createShared>

/** Figures, names and brand have versions; alert states have none, so a file is valid for at most a day. */
const contentKey = ({ share, person, subject, brand }: Opened, notes: readonly Note[], now: Date): string =>
  hashOf(
    JSON.stringify([
      share.id,
      person.plan,
      subject.title,
      subject.properties.map(({ id, name, factsVersion }) => [id, name, factsVersion]),
      brand?.updatedAt ?? null,
      notes,
      now.toISOString().slice(0, 10),
    ]),
  )
