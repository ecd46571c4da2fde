import type { IsoDate } from '../../contract/common.ts'
import { addDays } from '../analytics/days.ts'
import type { Rule, Window } from './rule.ts'
import { historyWeeks, isComplete, weeksBefore, type Windows, yearBefore } from './windows.ts'

/** Which days of a property are known. */
export type History = {
  /** Days whose figures are stored and final. */
  completeDays: ReadonlySet<IsoDate>
  /** The first day from which on everything is stored; null when there is none. */
  from: IsoDate | null
  /** Days before it are still to be fetched: what looks new or unusual now may not be, once they are there. */
  isGrowing: boolean
}

/** What first appeared can only be told with so many weeks before it. */
const weeksBeforeNew = 8

/**
 * Whether a rule can be judged: every day of both windows is complete, and as much of the time before them is known as
 * the verdict rests on.
 */
export function isReady(rule: Rule, { current, base }: Windows, { completeDays, from, isGrowing }: History): boolean {
  if (from === null || !isComplete(current, completeDays) || !isComplete(base, completeDays)) return false
  if (restsOnFirstSeen(rule)) return from <= addDays(current.start, -7 * weeksBeforeNew)
  return !isGrowing || from <= addDays(current.start, -7 * historyWeeks)
}

export const restsOnFirstSeen = ({ kind, monitor }: Rule): boolean =>
  kind === 'new_query' || kind === 'new_page' || (kind === 'change' && monitor === 'new_content')

/** The weeks before, as far back as they are complete without a gap. */
export function knownWeeks(current: Window, completeDays: ReadonlySet<IsoDate>): Window[] {
  const weeks = weeksBefore(current)
  const gap = weeks.findIndex((week) => !isComplete(week, completeDays))
  return gap < 0 ? weeks : weeks.slice(0, gap)
}

/** The same week a year ago and those before it; none where one of them is not complete. */
export function knownYearAgo(current: Window, completeDays: ReadonlySet<IsoDate>): Window[] {
  const weeks = yearBefore(current)
  return weeks.every((week) => isComplete(week, completeDays)) ? weeks : []
}
