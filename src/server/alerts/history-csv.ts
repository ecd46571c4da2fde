import { type Alert, otherFindings } from '../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../contract/common.ts'
import { propertyName } from '../../core/accounts/property-name.ts'
import { plainText } from '../../core/alerting/copy.ts'
import type { CsvCell } from '../../core/csv.ts'
import { csvFile } from '../common/csv-file.ts'
import { safeFileName } from '../platform/file-names.ts'
import { viewOf, wordsOf } from './alert-view.ts'
import type { AlertPlace, AlertRow, AlertsFilter } from './incidents/alerts-store.ts'

/** Alerts read at once; each may hold long names. */
const batch = 100
/** Alert positions read at once: each read sorts the rest of the list. */
const placesAhead = 5_000

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
  'previous',
  'current',
  'change',
  'compared dates',
  'recovered at',
  'rating',
  'also found',
  'ended as',
]

/** The list of alerts that a file is made of. */
export type HistoryList = {
  /** The places of the next alerts after one, in the list's order, at most `limit`. */
  places(after: AlertPlace | undefined, limit: number): Promise<AlertPlace[]>
  /** These alerts, in the list's order; those deleted meanwhile are left out. */
  load(ids: readonly string[]): Promise<AlertRow[]>
}

/**
 * Streams alerts as a CSV file, read in parts while it is sent: there may be a million. CTR is a fraction; changes are in percent or, for
 * positions, in places; times are in UTC.
 */
export function historyCsv({ places, load }: HistoryList): AsyncGenerator<string> {
  async function* rows() {
    let ahead: AlertPlace[] = []
    do {
      ahead = await places(ahead.at(-1), placesAhead)
      for (let at = 0; at < ahead.length; at += batch) yield (await load(ahead.slice(at, at + batch).map(({ id }) => id))).map(lineOf)
    } while (ahead.length === placesAhead)
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
    ended,
    ...view
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
    alsoFound(view),
    ended?.as ?? null,
  ]
}

/** Titles of the most severe other findings with the same cause, and how many more there are; empty without any. */
function alsoFound(alert: Pick<Alert, 'id' | 'findings' | 'moreFindings'>): string {
  const titles = otherFindings(alert).map(({ title }) => title)
  const { moreFindings = 0 } = alert
  return [...titles.slice(0, mostFindings), ...more(titles.length - mostFindings + moreFindings)].join('; ')
}
/** As many as are loaded for each alert in a list. */
const mostFindings = 3
const more = (count: number): string[] => (count > 0 ? [`and ${count} more`] : [])

/** As many digits as stored sums of fractions are good for. */
const rounded = (figure: number | null): number | null => (figure === null ? null : Number(figure.toFixed(6)))

/** The file's name: whose alerts, and the period in which they opened. `property` is null for all properties. */
export function historyFileName(property: string | null, { from, to }: Pick<AlertsFilter, 'from' | 'to'>, today: IsoDate): string {
  const days = [from, to ?? today].filter((day) => day !== undefined)
  return `${safeFileName(property === null ? 'all properties' : propertyName(property))}-alert-history-${days.join('-to-')}.csv`
}
