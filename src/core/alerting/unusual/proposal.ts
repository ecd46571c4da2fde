import { signOf } from '../figures.ts'
import type { AlertVerdict } from '../../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { dayNumber } from '../../analytics/days.ts'
import type { Finding } from '../evaluate.ts'
import type { Rule } from '../rule.ts'

/** A rated alert with the rule's finding; `day` is the last day of the window that opened it. */
export type RatedAlert = { verdict: AlertVerdict; findings: readonly { entity: string; change: number | null; day: IsoDate }[] }

/** A setting that may be proposed: a threshold, or the sensitivity of a smart rule. */
export type Setting = Partial<Pick<Rule, 'sensitivity' | 'onlyUnusual' | 'threshold'>>

/** The days on which a rule would have opened alerts, as far as they are known. */
export type Backtested = { from: IsoDate | null; days: readonly { date: IsoDate; findings: readonly Finding[] }[] }

/** With fewer rated alerts nothing is proposed. */
export const fewestRated = 5
/** Below the first share of useful alerts a rule is too loud; above the second it may be too quiet. */
const tooLoud = 0.5
const tooQuiet = 0.9
/** The share of noise that a proposed setting has to remove. */
const leastDropped = 1 / 3
/** A stricter rule finds the same change later, a looser one earlier. */
const sameChange = { before: 7, after: 14 }
/** No larger percentage is proposed: hardly anything falls that far. */
const mostPercent = 90

/**
 * The rated alerts that a rule would open with the settings of the backtest; alerts of unknown days are ignored. The backtest is scanned
 * once, whatever the number of ratings, since both can be thousands.
 */
export function stillOpened(rated: readonly RatedAlert[], { from, days }: Backtested): { known: RatedAlert[]; opened: RatedAlert[] } {
  const known = rated.filter(({ findings }) => from !== null && findings.some(({ day }) => day >= from))
  const wanted = new Set(known.flatMap(({ findings }) => findings.map(({ entity }) => entity)))
  const found = new Map<string, Set<number>>()
  for (const { date, findings } of days) {
    for (const { entity, change } of findings) {
      if (!wanted.has(entity.name)) continue
      const key = keyOf(entity.name, change)
      const on = found.get(key) ?? new Set<number>()
      found.set(key, on.add(dayNumber(date)))
    }
  }
  const isFound = ({ entity, change, day }: RatedAlert['findings'][number]): boolean => {
    const on = found.get(keyOf(entity, change))
    const first = dayNumber(day) - sameChange.before
    return (
      on !== undefined && Array.from({ length: sameChange.before + 1 + sameChange.after }, (_, i) => first + i).some((at) => on.has(at))
    )
  }
  return { known, opened: known.filter(({ findings }) => findings.some(isFound)) }
}

const keyOf = (entity: string, change: number | null): string => `${signOf({ change })} ${entity}`

const usefulOf = (alerts: readonly RatedAlert[]): RatedAlert[] => alerts.filter(({ verdict }) => verdict === 'useful')
const noiseOf = (alerts: readonly RatedAlert[]): RatedAlert[] => alerts.filter(({ verdict }) => verdict === 'noise')

/**
 * Settings that may suit a rule better, best first.
 * @param opened rated alerts that the rule would open as it is now; alerts of its earlier settings don't count
 */
export function settingsToTry(rule: Rule, opened: readonly RatedAlert[]): Setting[] {
  if (opened.length < fewestRated) return []
  const precision = usefulOf(opened).length / opened.length
  if (rule.kind === 'unusual') {
    const to = precision < tooLoud ? quieter[rule.sensitivity] : precision >= tooQuiet ? louder[rule.sensitivity] : null
    return to === null ? [] : [{ sensitivity: to }]
  }
  if (rule.kind !== 'change' || precision >= tooLoud) return []
  const threshold = thresholdFor(rule, opened)
  return [...(rule.onlyUnusual ? [] : [{ onlyUnusual: true }]), ...(threshold === null ? [] : [{ threshold }])]
}

const quieter = { high: 'normal', normal: 'low', low: null } as const
const louder = { low: 'normal', normal: 'high', high: null } as const

/** The lowest threshold above the noise that keeps every useful alert; null if there is none. New and lost entities pass any threshold. */
function thresholdFor({ threshold, metric }: Rule, opened: readonly RatedAlert[]): number | null {
  const largest = ({ findings }: RatedAlert): number => Math.max(...findings.map(({ change }) => Math.abs(change ?? Infinity)))
  const highest = Math.floor(Math.min(...usefulOf(opened).map(largest)))
  const noise = noiseOf(opened)
    .map(largest)
    .filter((size) => size < highest)
  if (noise.length === 0) return null
  const lowest = Math.floor(Math.max(...noise)) + 1
  const proposed = Math.min(lowest, highest)
  return proposed > threshold && (metric === 'position' || proposed <= mostPercent) ? proposed : null
}

export type Support = {
  /** Of the rated alerts that the rule opens now, those that would still have been opened. */
  useful: { kept: number; of: number }
  noise: { kept: number; of: number }
}

/**
 * What the past says in favor of another setting; null if nothing: a quieter one must keep every useful alert and remove a good part of the
 * noise, and a more sensitive one must find more than now.
 */
export function supportOf(
  rule: Rule,
  setting: Setting,
  opened: readonly RatedAlert[],
  backtests: { now: Backtested; proposed: Backtested },
): Support | null {
  const { opened: kept } = stillOpened(opened, backtests.proposed)
  const support: Support = {
    useful: { kept: usefulOf(kept).length, of: usefulOf(opened).length },
    noise: { kept: noiseOf(kept).length, of: noiseOf(opened).length },
  }
  if (support.useful.kept < support.useful.of) return null
  if (setting.sensitivity !== undefined && setting.sensitivity === louder[rule.sensitivity])
    return countOf(backtests.proposed) > countOf(backtests.now) ? support : null
  const dropped = support.noise.of - support.noise.kept
  return dropped > 0 && dropped >= leastDropped * support.noise.of ? support : null
}

/** A backtest's alerts from a given day on. */
export const countOf = ({ days }: Backtested, from: IsoDate = '0000-01-01'): number =>
  days.reduce((sum, { date, findings }) => (date >= from ? sum + findings.length : sum), 0)
