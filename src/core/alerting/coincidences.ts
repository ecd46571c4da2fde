import type { Annotations } from '../../contract/annotations.ts'
import type { Coincidence } from '../../contract/alerts/change-breakdown.ts'
import type { IsoDate } from '../../contract/common.ts'
import { articleOf, countryName } from '../analytics/country-name.ts'
import { addDays, dayNumber, eachDay } from '../analytics/days.ts'
import { holidaysOf } from '../detection/holidays.ts'
import type { AlertMetric, Window } from './rule.ts'
import { daysOf, type Sentence } from './copy.ts'

/** An event this many days earlier can still show in the first days of a change. */
const daysBefore = 3

export type Circumstances = {
  metric: AlertMetric
  /** The days the change was found in and those it was compared with; null if it wasn't compared with days. */
  current: Window
  base: Window | null
  /** Covers at least `surroundings`. */
  annotations: Annotations
  /** The country whose holidays matter, by its Search Console code. */
  country: string | null
  /** Days of either window that aren't stored. */
  missing: readonly IsoDate[]
  /** Whether the current days have been revised since they were evaluated. */
  isRevised: boolean
}

/** The days whose notes and incidents are listed with a change. */
export const surroundings = ({ current, base }: Pick<Circumstances, 'current' | 'base'>): Window => {
  const start = addDays(current.start, -daysBefore)
  return { start: base !== null && base.start < start ? base.start : start, end: current.end }
}

/** Lists what else happened around the start of a change, related or not. */
export function coincidencesOf(about: Circumstances): Coincidence[] {
  const { metric, current, base, annotations, country, missing, isRevised } = about
  const around = { start: addDays(current.start, -daysBefore), end: current.end }
  const compared = surroundings(about)
  const isStep = (day: IsoDate | null) => day !== null && compared.start < day && day <= compared.end
  // A note on one property and the same note on all properties count once.
  const notes = new Map(annotations.notes.filter(({ date }) => isIn(around, date)).map((note) => [`${note.date} ${note.text}`, note]))
  return [
    ...annotations.anomalies
      .filter(({ metrics, start, end }) => metrics.includes(metric) && (isStep(start) || isStep(end && addDays(end, 1))))
      .map(({ title, start, end, url }) => coincidence('measurement', start, end, title, url)),
    ...annotations.incidents
      .filter(({ start, end }) => start <= around.end && (end === null || end >= around.start))
      .map(({ title, start, end, url }) => coincidence('ranking_incident', start, end, title, url)),
    ...notesOf([...notes.values()]),
    ...[...(base === null ? [] : [base]), current].flatMap((window) => holidaysIn(window, country)),
    ...runsOf(missing).map(({ start, end }) => coincidence('missing_days', start, end, 'No data stored')),
    ...(isRevised ? [coincidence('revised_data', current.start, current.end, 'Google revised the data after this alert')] : []),
  ]
}

const coincidence = (kind: Coincidence['kind'], from: IsoDate, to: IsoDate | null, title: string, link?: string): Coincidence => ({
  kind,
  from,
  to,
  title,
  ...(link !== undefined && { link }),
})

/** Maximum number of notes listed one by one: there can be thousands, and every message stores its text. */
const mostNotes = 20

/** Latest first, then the number of further notes. */
function notesOf(notes: readonly { date: IsoDate; text: string }[]): Coincidence[] {
  const rest = notes.slice(mostNotes)
  const [latest, earliest] = [rest[0], rest.at(-1)]
  return [
    ...notes.slice(0, mostNotes).map(({ date, text }) => coincidence('note', date, date, text)),
    ...(latest && earliest
      ? [coincidence('note', earliest.date, latest.date, rest.length === 1 ? '1 more note' : `${rest.length} more notes`)]
      : []),
  ]
}

const isIn = ({ start, end }: Window, day: IsoDate): boolean => start <= day && day <= end

function holidaysIn({ start, end }: Window, country: string | null): Coincidence[] {
  const [isHoliday, isYearEnd] = [holidaysOf(country), holidaysOf(null)]
  const days = eachDay(start, end).filter((day) => isHoliday(dayNumber(day)))
  const [yearEnd, others] = [days.filter((day) => isYearEnd(dayNumber(day))), days.filter((day) => !isYearEnd(dayNumber(day)))]
  const named = country === null ? 'Public holiday' : `Public holiday in ${articleOf(countryName(country))}${countryName(country)}`
  return [
    ...runsOf(others).map((run) => coincidence('holiday', run.start, run.end, named)),
    ...runsOf(yearEnd).map((run) => coincidence('holiday', run.start, run.end, 'Year-end holidays')),
  ]
}

/** Merges consecutive days into periods, earliest first. */
function runsOf(days: readonly IsoDate[]): Window[] {
  const runs: Window[] = []
  for (const day of days.toSorted()) {
    const last = runs.at(-1)
    if (last && addDays(last.end, 1) === day) last.end = day
    else runs.push({ start: day, end: day })
  }
  return runs
}

/** Maximum number of names on one line. */
const mostNamed = 4

/** The same on one line, for messages; null if there is nothing to say. */
export function coincidenceSentence(all: readonly Coincidence[]): Sentence | null {
  if (all.length === 0) return null
  const named = all.slice(0, mostNamed).flatMap((each, index) => [...(index === 0 ? [] : ['; ']), ...phraseOf(each)])
  const left = all.length - mostNamed
  return ['Around the same time (may be a coincidence): ', ...named, left > 0 ? `; and ${left} more.` : '.']
}

function phraseOf({ kind, from, to, title }: Coincidence): Sentence {
  const days = to === null ? `since ${daysOf({ start: from, end: from }, true)}` : daysOf({ start: from, end: to })
  switch (kind) {
    case 'ranking_incident':
      return [`Google’s ${title} (${days})`]
    case 'measurement':
      return [`a Google measurement change: ${title} (${days})`]
    case 'note':
      return ['a note: ', { name: title }, ` (${days})`]
    case 'holiday':
    case 'missing_days':
    case 'revised_data':
      return [`${title.startsWith('Google') ? title : title.charAt(0).toLowerCase() + title.slice(1)} (${days})`]
  }
}
