import type { Finding } from './evaluate.ts'

/** Alerts of one rule that last at once. More than these are no list that anybody reads. */
export const mostLasting = 100
/** Alerts that are opened for one property within 24 hours, however often its rules are changed and judged. */
export const mostOpenedInADay = 500

/** What became no alert because there were too many, for the rule's owner. */
export const leftOutText = (count: number): string =>
  `${count.toLocaleString('en-US')} more ${count === 1 ? 'finding' : 'findings'} did not become ${count === 1 ? 'an alert' : 'alerts'}: a rule has up to ${mostLasting} open alerts, and a property gets up to ${mostOpenedInADay} new ones a day. Raise the threshold or the minimum impressions, or watch fewer pages or queries.`

/** The findings that moved most, as many as there is room for, in the order they came in. */
export function mostMovedOf(findings: readonly Finding[], room: number): readonly Finding[] {
  if (findings.length <= room) return findings
  const kept = new Set(findings.toSorted(byMoved).slice(0, Math.max(0, room)))
  return findings.filter((finding) => kept.has(finding))
}

/** What came or went altogether first, by how high it ranks; then by the amount: a tenth of many is more than half of a few. */
function byMoved(a: Finding, b: Finding): number {
  const [left, right] = [movedBy(a) ?? Number.MAX_VALUE, movedBy(b) ?? Number.MAX_VALUE]
  return right - left || placeOf(a) - placeOf(b)
}

function movedBy({ metric, current, previous, change }: Finding): number | null {
  if (current === null || previous === null) return null
  return metric === 'clicks' || metric === 'impressions' ? Math.abs(current - previous) : Math.abs(change ?? 0)
}

const placeOf = ({ current, previous }: Finding): number => current ?? previous ?? 0
