import type { IsoDate } from '../../contract/common.ts'
import type { Level } from './ending.ts'
import type { Finding } from './evaluate.ts'
import { mostCovered, mostLetters } from './bounds.ts'
import { recentDays } from './cause.ts'
import { addDays, daysBetween, later } from '../analytics/days.ts'
import { changeOf, directionOf, signOf } from './figures.ts'
import { isBack, type Verdict } from './lifecycle.ts'
import type { AlertMetric, Rule, Window } from './rule.ts'
import { isOverAYear } from './windows.ts'

/** A finding with the findings it explains. */
export type Grouped = { finding: Finding; contributors: readonly Finding[] }

/** What is known of the open alert about a site-wide change. */
export type WideAlert = {
  /** The last day that it was opened for. */
  since: IsoDate
  /** Its largest size in percent. */
  change: number
  /** What it has covered, each with the change that it was first covered with. */
  covered: ReadonlyMap<string, number>
}

/** A page or query lost about as much as the site, or as when it was first covered, if it is within this many percentage points of it. */
const about = 15

/**
 * A site-wide change isn't repeated for every page and query: a site-wide finding takes those with the same metric and direction, compared
 * like it (with recent weeks or last year), as its contributors, largest change first. On the first evening these are all of them, since
 * everything moves at once. After that, a page that lost clearly more than the site has a problem of its own, and so has one that is first
 * found when the alert is more than two weeks old.
 * @param alertOf the open alert about a site-wide finding; undefined if it is new
 */
export function muteUnderSite(
  findings: readonly Finding[],
  alertOf: (finding: Finding) => WideAlert | undefined = () => undefined,
): Grouped[] {
  const wide = findings.filter(({ entity }) => entity.kind === 'site').map((finding) => ({ finding, alert: alertOf(finding) }))
  const under = new Map(wide.map(({ finding, alert }) => [finding, findings.filter((other) => isUnder(finding, other, alert))]))
  const covered = new Set([...under.values()].flat())
  return findings.flatMap((finding) => {
    if (covered.has(finding)) return []
    const contributors = under.get(finding) ?? []
    return [{ finding, contributors: contributors.toSorted((a, b) => sizeOf(b) - sizeOf(a)) }]
  })
}

function isUnder(site: Finding, other: Finding, alert: WideAlert | undefined): boolean {
  const isAlike =
    other.entity.kind !== 'site' &&
    other.entity.kind !== 'segment' &&
    other.metric === site.metric &&
    directionOf(other.metric, other.change) === directionOf(site.metric, site.change) &&
    isOverAYear(other.windows) === isOverAYear(site.windows)
  const today = site.windows.current.end
  if (!isAlike || alert === undefined || alert.since >= today) return isAlike
  const before = alert.covered.get(keyOfCovered(other.entity))
  if (before === undefined && alert.since < addDays(today, -recentDays)) return false
  // The others' sizes say little: a CTR or a position falls as far as the few impressions behind it take it.
  if (!isCount(site.metric)) return true
  const size = (change: number | null | undefined) => Math.abs(change ?? 0)
  const most = Math.max(size(site.change), size(alert.change), size(before)) + about
  return size(other.change) <= most
}

export const keyOfCovered = ({ kind, name }: Pick<Finding['entity'], 'kind' | 'name'>): string => `${kind} ${name}`

/** A page or query that a site-wide alert covers: the change it was first covered with, and the last day that it was. */
export type Covered = { entity: { kind: 'page' | 'query'; name: string }; change: number | null; through: IsoDate }

/**
 * What a site-wide alert has covered up to this evening: evenings on which a page isn't found don't make it new, but two weeks do.
 * @param parts what it covers this evening
 */
export function coveredSoFar(before: readonly Covered[], parts: readonly Omit<Covered, 'through'>[], through: IsoDate): Covered[] {
  const first = new Map(before.map((each) => [keyOfCovered(each.entity), each]))
  const now = parts.map(({ entity, change }) => ({ entity, change: first.get(keyOfCovered(entity))?.change ?? change, through }))
  const again = new Set(now.map(({ entity }) => keyOfCovered(entity)))
  const since = addDays(through, -recentDays)
  const earlier = before.filter(({ entity, through: last }) => last >= since && !again.has(keyOfCovered(entity)))
  let letters = 0
  return [...now, ...earlier].slice(0, mostCovered).filter(({ entity }) => (letters += entity.name.length) <= mostLetters)
}

/** A site-wide change that was reported and is over. */
export type Passed = {
  metric: AlertMetric
  /** Its largest size in percent. */
  change: number
  start: IsoDate
  /** The last day that it was opened for: it had begun by then. */
  since: IsoDate
  end: IsoDate
  /** Whether the metric came back, rather than settled. */
  isBack: boolean
  /** What its alert covered. */
  covered: ReadonlySet<string>
}

/**
 * Whether a finding merely reflects a site-wide change that is over: its week still includes some of those days, and it moved in the same
 * direction by about as much as the site did, or, if the site is back, as those days amount to in its week. A page that lost more has a
 * problem of its own: it may have stayed gone. What was covered by an alert of a site that settled is still explained by it while compared
 * with days before it.
 */
export function isAftermath(finding: Finding, passed: readonly Passed[]): boolean {
  const { entity, metric, change, windows } = finding
  if (entity.kind === 'site' || change === null || !isCount(metric)) return false
  return passed.some((site) => {
    const shared = sharedDays(site, windows.current)
    const share = site.isBack ? shared / lengthOf(windows.current) : 1
    const isCompared = windows.base.start < site.since && site.since <= windows.current.end && !isOverAYear(windows)
    return (
      isCount(site.metric) &&
      (shared > 0 || (isCompared && !site.isBack && site.covered.has(keyOfCovered(entity)))) &&
      Math.sign(site.change) === Math.sign(change) &&
      Math.abs(change) <= Math.abs(site.change) * share + about
    )
  })
}

const sharedDays = (a: Window, b: Window): number => {
  const [start, end] = [later(a.start, b.start), a.end < b.end ? a.end : b.end]
  return start > end ? 0 : lengthOf({ start, end })
}

/** For how many days after an alert a rule may still compare with days of it: a month and a week, with some to spare. */
export const returnDays = 45

/** What an alert was opened with, and the last day it was found on; null while it is open. */
export type Earlier = {
  ruleId: string
  name: string
  opening: Pick<Finding, 'previous' | 'current' | 'change' | 'windows' | 'seasonal'>
  end: IsoDate | null
  /** The level that a whole site settled at; absent if it was back. */
  level?: Level
}

/**
 * A rule for drops and rises compares with the days of an outage once it is over, and would call the return a rise. So it finds nothing in
 * the other direction while its alert is open (until the metric is back), nor afterwards while it still compares with days of that
 * alert, unless the metric is beyond its threshold as seen from before the alert.
 * @param earlier alerts that this rule found, of any entity; those that settled make no difference
 */
export function withoutReturns(
  { direction, metric, threshold }: Pick<Rule, 'direction' | 'metric' | 'threshold'>,
  verdicts: readonly Verdict[],
  earlier: readonly Earlier[],
): readonly Verdict[] {
  if (direction !== 'both' || earlier.length === 0) return verdicts
  const byName = Map.groupBy(
    earlier.filter(({ level }) => level === undefined),
    ({ name }) => name,
  )
  return verdicts.flatMap((verdict) => {
    const { finding, entity, current } = verdict
    const opposite = finding ? (byName.get(entity.name) ?? []).filter(({ opening }) => isOpposite(finding, opening)) : []
    const open = opposite.find(({ end }) => end === null)
    if (open && !isBack({ metric, ...open.opening }, current)) return []
    const isReturn = open !== undefined || opposite.some((each) => finding && isReturnFrom(each, finding, { metric, threshold }))
    return [isReturn ? { ...verdict, finding: null } : verdict]
  })
}

type Moved = Pick<Finding, 'change'>
const isOpposite = (a: Moved, b: Moved): boolean => signOf(a) * signOf(b) === -1

function isReturnFrom(
  { opening, end }: Earlier,
  { change, current, windows }: Finding,
  { metric, threshold }: Pick<Rule, 'metric' | 'threshold'>,
): boolean {
  const isCompared = end !== null && opening.windows.current.start <= windows.base.end && end >= windows.base.start
  if (!isCompared || opening.previous === null || current === null) return false
  const scale = isCount(metric) ? lengthOf(windows.current) / lengthOf(opening.windows.current) : 1
  const since = changeOf(metric, opening.previous * scale, current)
  return since === null || since * signOf({ change }) < threshold
}

const lengthOf = ({ start, end }: Window): number => daysBetween(start, end)

const isCount = (metric: AlertMetric): boolean => metric === 'clicks' || metric === 'impressions'

/** A rise from zero is larger than any other. */
const sizeOf = ({ change }: Finding): number => Math.abs(change ?? Number.MAX_VALUE)
