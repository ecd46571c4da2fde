import type { IsoDate } from '../../contract/common.ts'
import { plainText } from '../../core/alerting/words.ts'
import type { CsvCell } from '../../core/csv.ts'
import { csvFile } from '../common/csv-file.ts'
import { safeFileName } from '../platform/file-names.ts'
import { viewOf, wordsOf } from './alert-view.ts'
import type { AlertRow, AlertsFilter } from './incidents/alerts-store.ts'

/** Alerts read at once. */
const batch = 500

const header = [
  'opened at',
  'severity',
  'state',
  'type',
  'title',
  'description',
  'entity kind',
  'entity',
  'property',
  'before',
  'now',
  'change',
  'compared dates',
  'recovered at',
  'verdict',
]

/**
 * Streams these alerts as a CSV file, in this order, so that a slow reader holds up nothing. Alerts deleted meanwhile are left out. CTR is
 * a fraction; changes are in percent or, for positions, in places; times are in UTC.
 */
export function historyCsv(ids: readonly string[], load: (ids: readonly string[]) => Promise<AlertRow[]>): AsyncGenerator<string> {
  async function* rows() {
    for (let from = 0; from < ids.length; from += batch) yield (await load(ids.slice(from, from + batch))).map(lineOf)
  }
  return csvFile(header, rows())
}

function lineOf(row: AlertRow): CsvCell[] {
  const {
    severity,
    state,
    type,
    title,
    entity,
    target,
    timestamp,
    previousValue,
    currentValue,
    change,
    current,
    previous,
    unusual,
    verdict,
  } = viewOf(row)
  return [
    timestamp,
    severity,
    state,
    type,
    title,
    plainText(wordsOf(row).sentence),
    entity.kind,
    entity.name,
    target,
    rounded(previousValue),
    rounded(currentValue),
    rounded(change),
    current && previous && `${current.start} to ${current.end} vs ${unusual ? 'expected' : `${previous.start} to ${previous.end}`}`,
    row.recoveredAt?.toISOString() ?? null,
    verdict,
  ]
}

/** As many digits as stored sums of fractions are good for. */
const rounded = (figure: number | null): number | null => (figure === null ? null : Number(figure.toFixed(6)))

/** The file's name: whose alerts, and the period in which they opened. `property` is null for all properties. */
export function historyFileName(property: string | null, { from, to }: Pick<AlertsFilter, 'from' | 'to'>, today: IsoDate): string {
  const days = [from, to ?? today].filter((day) => day !== undefined)
  return `${safeFileName(property ?? 'all properties')}-alert-history-${days.join('-to-')}.csv`
}
