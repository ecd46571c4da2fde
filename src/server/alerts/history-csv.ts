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
 * A file of these alerts in this order, in pieces: whoever reads it slowly holds up nothing. Those deleted meanwhile are
 * left out. CTR is a fraction, the change per cent or, for positions, places; times are in UTC.
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

/** As far as stored sums of fractions say anything. */
const rounded = (figure: number | null): number | null => (figure === null ? null : Number(figure.toFixed(6)))

/** What the file is called: whose alerts, and from and until when they opened. `property` is null for all of them. */
export function historyFileName(property: string | null, { from, to }: Pick<AlertsFilter, 'from' | 'to'>, today: IsoDate): string {
  const days = [from, to ?? today].filter((day) => day !== undefined)
  return `${safeFileName(property ?? 'all properties')}-alert-history-${days.join('-to-')}.csv`
}
