import { Globe, Pencil } from 'lucide-react'
import type { Annotations, Incident, Note } from '../../../contract/annotations.ts'
import type { Period } from '../../../contract/metrics.ts'
import { later } from '../../../core/analytics/days.ts'
import type { ChartMark } from '../../charts/chart-series.ts'

export type Happenings = { notes: readonly Note[]; incidents: readonly Incident[] }

/** What happened within a period, newest first; an incident that began before and lasted into it belongs to it too. */
export function within({ notes, incidents }: Annotations, { start, end }: Period): Happenings {
  return {
    notes: notes.filter(({ date }) => start <= date && date <= end),
    incidents: incidents.filter((each) => each.start <= end && (each.end === null || start <= each.end)),
  }
}

/** The same as marks of a chart over that period. */
export function marksOf({ notes, incidents }: Happenings, { start }: Period): ChartMark[] {
  const marks: ChartMark[] = [
    ...incidents.map((each) => ({
      date: later(each.start, start),
      label: `Google: ${each.title}`,
      Icon: Globe,
      span: { start: each.start, end: each.end },
    })),
    ...notes.map(({ date, text }) => ({ date, label: `Note: ${text}`, Icon: Pencil })),
  ]
  // The same note on one property and on all of them is one mark.
  return [...new Map(marks.map((mark) => [`${mark.date} ${mark.label}`, mark])).values()]
}
