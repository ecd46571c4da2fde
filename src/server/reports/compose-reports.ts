import type { IsoDate } from '../../contract/common.ts'
import type { Period } from '../../contract/metrics.ts'
import type { PeriodicReport, ReportKind } from '../../contract/reports/periodic.ts'
import { withBoundedNames } from '../../core/reports/bounded-names.ts'
import { latestReport } from '../../core/reports/due.ts'
import type { Person } from '../accounts/service.ts'
import type { StoredSegment } from '../database/annotation-tables.ts'
import { Refusal } from '../common/errors.ts'
import type { PeriodicReports } from './periodic-reports.ts'
import type { Subject } from './subjects.ts'

type Owner = Pick<Person, 'id' | 'plan'>
/** The reports of a subject's properties; `missing` are those with an incomplete week or month. */
export type Composed = { reports: PeriodicReport[]; missing: string[] }

/** Properties requested at once. */
const atOnce = 2

/** The week or month to report on if none is named. */
export async function latestOf(
  periodic: Pick<PeriodicReports, 'periods'>,
  { properties }: Subject,
  kind: ReportKind,
  now: Date,
): Promise<Period | null> {
  const latest = await Promise.all(properties.map(async (property) => (await periodic.periods(property, kind))[0] ?? null))
  return latestReport(latest, now)
}

/** One report per property, in the subject's order, fit to leave the account. */
export async function composeReports(
  periodic: Pick<PeriodicReports, 'report'>,
  owner: Owner,
  { properties }: Subject,
  about: { kind: ReportKind; start: IsoDate; segment: StoredSegment | null },
  { signal, onDone = async () => {} }: { signal?: AbortSignal; onDone?: (done: number) => Promise<void> } = {},
): Promise<Composed> {
  const found: (PeriodicReport | null)[] = properties.map(() => null)
  const waiting = properties.entries()
  let done = 0
  const lane = async (): Promise<void> => {
    for (const [at, property] of waiting) {
      signal?.throwIfAborted()
      const report = await periodic.report(owner, property, about, 'others').catch(nullWhenIncomplete)
      found[at] = report && withBoundedNames(report, properties.length)
      done += 1
      await onDone(done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return {
    reports: found.filter((report) => report !== null),
    missing: properties.filter((_, at) => found[at] === null).map(({ name }) => name),
  }
}

function nullWhenIncomplete(error: unknown): null {
  if (error instanceof Refusal && error.status === 404) return null
  throw error
}
