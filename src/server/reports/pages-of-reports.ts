import type { IsoDate } from '../../contract/common.ts'
import type { ReportKind } from '../../contract/reports/periodic.ts'
import type { StoredSegment } from '../database/annotation-tables.ts'
import type { Shares } from './shares.ts'
import type { SubjectIds } from './subjects.ts'

type Shown = SubjectIds & { segment: StoredSegment | null; userId: string; kind: ReportKind; start: IsoDate; isBranded: boolean }
export type PageOf = (report: Shown) => Promise<string | null>

/** A report's page: its shared link if its owner made a valid one, else our own screen, unless the recipients shouldn't know about us. */
export const createPageOf =
  (shares: Pick<Shares, 'linkTo'>, baseUrl: () => string): PageOf =>
  async ({ kind, start, isBranded, ...about }) =>
    (await shares.linkTo({ ...about, kind, start })) ??
    (isBranded ? null : `${baseUrl()}/reports?${new URLSearchParams({ kind, start, ...(about.segment && { segment: about.segment.id }) })}`)
