import type { IsoDate } from '../../contract/common.ts'
import type { ReportKind } from '../../contract/reports/periodic.ts'
import type { StoredSegment } from '../database/annotation-tables.ts'
import type { Db } from '../database/open.ts'
import type { Shares } from './shares.ts'
import { loadSubject, type SubjectIds } from './subjects.ts'

type Shown = SubjectIds & { segment: StoredSegment | null; userId: string; kind: ReportKind; start: IsoDate; isBranded: boolean }
export type PageOf = (report: Shown) => Promise<string | null>

/**
 * A report's page: its shared link if its owner made a valid one, else our own screen, which shows one property's reports, not a client's.
 * None if the recipients shouldn't know about us.
 */
export const createPageOf =
  (db: Db, shares: Pick<Shares, 'linkTo'>, baseUrl: () => string): PageOf =>
  async ({ kind, start, isBranded, ...about }) => {
    const shared = await shares.linkTo({ ...about, kind, start })
    if (shared !== null || isBranded || about.propertyId === null) return shared
    const subject = await loadSubject(db, about.userId, about)
    if (subject === null) return null
    const shown = { property: subject.title, kind, start, ...(about.segment && { segment: about.segment.id }) }
    return `${baseUrl()}/reports?${new URLSearchParams(shown)}`
  }
