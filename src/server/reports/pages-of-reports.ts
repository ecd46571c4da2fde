import type { IsoDate } from '../../contract/common.ts'
import type { ReportKind } from '../../contract/reports/periodic.ts'
import type { Shares } from './shares.ts'
import type { SubjectIds } from './subjects.ts'

type Shown = SubjectIds & { userId: string; kind: ReportKind; start: IsoDate; isBranded: boolean }
export type PageOf = (report: Shown) => Promise<string | null>

/**
 * Where a report is on screen: its link, where its owner made one that works, else our own screen. That one is for nobody who is not to
 * know of us.
 */
export const createPageOf =
  (shares: Pick<Shares, 'linkTo'>, baseUrl: () => string): PageOf =>
  async ({ kind, start, isBranded, ...about }) =>
    (await shares.linkTo({ ...about, kind, start })) ?? (isBranded ? null : `${baseUrl()}/reports?${new URLSearchParams({ kind, start })}`)
