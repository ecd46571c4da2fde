import { counted } from '../../../core/words.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { addDays } from '../../../core/analytics/days.ts'
import type { LeftOut, Summary } from './load-rows.ts'
import type { Upload } from './read-upload.ts'

/** Google still counts days younger than this. */
const settledAfter = 3

/** What people should know about the stored days of an upload. */
export function notesOf(upload: Upload, summary: Summary, today: IsoDate): string[] {
  const notes = upload.notes()
  if (summary.uneven.length > 0) {
    notes.push(`Data from one of the two tables is missing for ${spansOf(summary.uneven)}.`)
  }
  if (summary.searchTypes.some((type) => type !== 'web')) notes.push(`Stored as search type ${summary.searchTypes.join(', ')}.`)
  if (summary.lastWebDay === null)
    notes.push(
      "This file has no web search data. Reports don't include other search types, and a property without any web search data shows nothing.",
    )
  if (summary.end > addDays(today, -settledAfter)) {
    notes.push('Google may not have finalized the last days of this file when it was exported.')
  }
  return notes
}

/** Search types without an overlap of their own are mentioned together. */
export function leftOutNotes(leftOut: readonly LeftOut[]): string[] {
  const types = Map.groupBy(leftOut, ({ days }) => spansOf(days))
  return [...types].map(
    ([spans, some]) =>
      `Google's own data${some.length < leftOut.length ? ` (${some.map(({ searchType }) => searchType).join(', ')})` : ''} is kept; skipped: ${spans}.`,
  )
}

const mostSpans = 5

/** Days for people to read: "365 days from … to …", or a few such spans. */
function spansOf(days: readonly IsoDate[]): string {
  const spans: { start: IsoDate; end: IsoDate }[] = []
  for (const day of days) {
    const last = spans.at(-1)
    if (last && addDays(last.end, 1) === day) last.end = day
    else spans.push({ start: day, end: day })
  }
  const ranges = spans.slice(0, mostSpans).map(({ start, end }) => (start === end ? start : `${start} to ${end}`))
  const more = spans.length > mostSpans ? ` and ${spans.length - mostSpans} more date ranges` : ''
  return `${counted(days.length, 'day')} (${ranges.join(', ')}${more})`
}
