import { gainOf } from './figures.ts'
import type { Finding } from './evaluate.ts'

/** A finding with those of the same run that it explains. */
export type Grouped = { finding: Finding; contributors: readonly Finding[] }

/**
 * What goes for the whole site need not be told for each of its pages and queries: a site-wide finding takes
 * those of the same figure and direction in the same run as its contributors, the greatest change first.
 */
export function muteUnderSite(findings: readonly Finding[]): Grouped[] {
  const wide = findings.filter(({ entity }) => entity.kind === 'site')
  const isUnder = (site: Finding, other: Finding): boolean =>
    other.entity.kind !== 'site' && other.metric === site.metric && directionOf(other) === directionOf(site)
  return findings
    .filter((finding) => !wide.some((site) => isUnder(site, finding)))
    .map((finding) => {
      const under = finding.entity.kind === 'site' ? findings.filter((other) => isUnder(finding, other)) : []
      return { finding, contributors: under.toSorted((a, b) => Math.abs(b.change ?? 0) - Math.abs(a.change ?? 0)) }
    })
}

const directionOf = ({ metric, change }: Finding): number => (change === null ? 0 : Math.sign(gainOf(metric, change)))
