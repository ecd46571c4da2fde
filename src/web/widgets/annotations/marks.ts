import { Globe, Pencil, Ruler } from 'lucide-react'
import type { Annotations, Anomaly, AnomalyMetric, Incident, Note } from '../../../contract/annotations.ts'
import type { IsoDate, SearchType } from '../../../contract/common.ts'
import type { Period } from '../../../contract/metrics.ts'
import { anomaliesWithin } from '../../../core/analytics/anomalies.ts'
import { later } from '../../../core/analytics/days.ts'
import { incidentsWithin } from '../../../core/analytics/known-incidents.ts'
import type { ChartMark } from '../../charts/time-series/chart-series.ts'

export type ChartEvents = { notes: readonly Note[]; incidents: readonly Incident[]; anomalies: readonly Anomaly[] }

/**
 * What happened within a period to figures of a search type, newest first; includes incidents that began earlier and lasted into it. The
 * server lists every incident, and the anomalies of web search; those of another type are known here.
 */
export function eventsWithin({ notes, incidents, ...known }: Annotations, { start, end }: Period, type: SearchType = 'web'): ChartEvents {
  const anomalies = type === 'web' ? known.anomalies : anomaliesWithin(type, start, end)
  const isIn = (date: IsoDate | null) => date !== null && start <= date && date <= end
  return {
    notes: notes.filter(({ date }) => start <= date && date <= end),
    incidents: incidentsWithin(incidents, start, end, type),
    // Figures jump at its start and end; in between they are counted alike.
    anomalies: anomalies.filter((each) => isIn(each.start) || isIn(each.end)),
  }
}

/** Same as marks on a chart of these figures over that period. */
export function marksOf({ notes, incidents, anomalies }: ChartEvents, { start }: Period, ...shown: readonly AnomalyMetric[]): ChartMark[] {
  const marks: ChartMark[] = [
    ...incidents.map((each) => ({
      date: later(each.start, start),
      label: `Google: ${each.title}`,
      kind: 'Google update',
      Icon: Globe,
      span: { start: each.start, end: each.end },
    })),
    ...anomalies
      .filter(({ metrics }) => metrics.some((metric) => shown.includes(metric)))
      .map((each) => ({
        date: later(each.start, start),
        label: `Measurement: ${each.title}`,
        kind: 'Measurement change',
        Icon: Ruler,
        span: { start: each.start, end: each.end ?? each.start },
      })),
    ...notes.map(({ date, text }) => ({ date, label: `Note: ${text}`, kind: 'Note', Icon: Pencil })),
  ]
  // The same note on one property and on all of them makes one mark.
  return [...new Map(marks.map((mark) => [`${mark.date} ${mark.label}`, mark])).values()]
}
