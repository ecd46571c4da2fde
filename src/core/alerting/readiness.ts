import type { IsoDate } from '../../contract/common.ts'
import { addDays } from '../analytics/days.ts'
import type { Rule, Window } from './rule.ts'
import { historyWeeks, isComplete, weeksBefore, type Windows, yearBefore } from './windows.ts'

/** Which days of a property are stored. */
export type History = {
  /** Days whose figures are stored and final. */
  completeDays: ReadonlySet<IsoDate>
  /** The first day from which everything is stored; null if there is none. */
  from: IsoDate | null
  /** Whether earlier days are still being fetched: what looks new or unusual now may not be once they arrive. */
  isGrowing: boolean
}

/** Whether something is new can only be said with this many weeks before it. */
const weeksBeforeNew = 8

/** Whether a rule can be evaluated: both windows are complete, and so is as much history as its verdict depends on. */
export function isReady(rule: Rule, { current, base }: Windows, { completeDays, from, isGrowing }: History): boolean {
  if (from === null || !isComplete(current, completeDays) || !isComplete(base, completeDays)) return false
  if (restsOnFirstSeen(rule)) return from <= addDays(current.start, -7 * weeksBeforeNew)
  return !isGrowing || from <= addDays(current.start, -7 * historyWeeks)
}

export const restsOnFirstSeen = ({ kind, monitor }: Rule): boolean =>
  kind === 'new_query' || kind === 'new_page' || (kind === 'change' && monitor === 'new_content')

/** The preceding weeks, as far back as they are complete without a gap. */
export function knownWeeks(current: Window, completeDays: ReadonlySet<IsoDate>): Window[] {
  const weeks = weeksBefore(current)
  const gap = weeks.findIndex((week) => !isComplete(week, completeDays))
  return gap < 0 ? weeks : weeks.slice(0, gap)
}

/** The same week a year ago and those before it; empty if any of them is incomplete. */
export function knownYearAgo(current: Window, completeDays: ReadonlySet<IsoDate>): Window[] {
  const weeks = yearBefore(current)
  return weeks.every((week) => isComplete(week, completeDays)) ? weeks : []
}
