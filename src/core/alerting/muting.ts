import type { IsoDate } from '../../contract/common.ts'
import type { Finding } from './evaluate.ts'
import { gainOf } from './figures.ts'
import type { AlertMetric } from './rule.ts'

/** A finding with the findings it explains. */
export type Grouped = { finding: Finding; contributors: readonly Finding[] }

/**
 * A site-wide change isn't repeated for every page and query: a site-wide finding takes those with the same metric and direction as its
 * contributors, largest change first.
 */
export function muteUnderSite(findings: readonly Finding[]): Grouped[] {
  const wide = findings.filter(({ entity }) => entity.kind === 'site')
  const isUnder = (site: Finding, other: Finding): boolean =>
    other.entity.kind !== 'site' &&
    other.entity.kind !== 'segment' &&
    other.metric === site.metric &&
    directionOf(other) === directionOf(site)
  return findings
    .filter((finding) => !wide.some((site) => isUnder(site, finding)))
    .map((finding) => {
      const under = finding.entity.kind === 'site' ? findings.filter((other) => isUnder(finding, other)) : []
      return { finding, contributors: under.toSorted((a, b) => Math.abs(b.change ?? 0) - Math.abs(a.change ?? 0)) }
    })
}

/** A site-wide change that was reported and is over: its days, and its largest size in percent. */
export type Passed = { metric: AlertMetric; change: number; start: IsoDate; end: IsoDate }

/**
 * Whether a finding merely reflects a site-wide change that is over: its week still includes some of those days, and it moved in the same
 * direction by no more than the site did. A page that lost more has a problem of its own.
 */
export function isAftermath(finding: Finding, passed: readonly Passed[]): boolean {
  const { entity, metric, change, windows } = finding
  if (entity.kind === 'site' || change === null || !isCount(metric)) return false
  return passed.some(
    (site) =>
      isCount(site.metric) &&
      site.start <= windows.current.end &&
      site.end >= windows.current.start &&
      Math.sign(site.change) === Math.sign(change) &&
      Math.abs(change) <= Math.abs(site.change),
  )
}

const isCount = (metric: AlertMetric): boolean => metric === 'clicks' || metric === 'impressions'

const directionOf = ({ metric, change }: Finding): number => (change === null ? 0 : Math.sign(gainOf(metric, change)))
