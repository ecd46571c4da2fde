import type { Finding } from './evaluate.ts'

/** Maximum number of alerts of one rule that can be open at once. Nobody reads a longer list. */
export const mostLasting = 100
/** Maximum number of alerts opened for one property within 24 hours, however often its rules are changed and evaluated. */
export const mostOpenedInADay = 500

/** Tells the rule's owner how many findings were too many to become alerts. */
export const leftOutText = (count: number): string =>
  `${count.toLocaleString('en-US')} more ${count === 1 ? 'change' : 'changes'} did not become ${count === 1 ? 'an alert' : 'alerts'}: a rule can have up to ${mostLasting} open alerts, and a property can get up to ${mostOpenedInADay} new ones a day. Raise the threshold or the minimum impressions, or monitor fewer pages or keywords.`

/** Keeps the findings that moved most, up to the limit, in their original order. */
export function mostMovedOf(findings: readonly Finding[], room: number): readonly Finding[] {
  if (findings.length <= room) return findings
  const kept = new Set(findings.toSorted(byMoved).slice(0, Math.max(0, room)))
  return findings.filter((finding) => kept.has(finding))
}

/** Parts of a change stored with its alert. */
const mostParts = 100
/** Maximum number of covered parts that are remembered for a site-wide change. */
export const mostCovered = 300
/** Maximum total length of the names of what is stored or read with an alert: an imported name may have thousands of characters. */
export const mostLetters = 20_000

/** The parts of a change that are stored with its alert: those that moved most, as far as their names fit. */
export function storedPartsOf(parts: readonly Finding[]): readonly Finding[] {
  let letters = 0
  return mostMovedOf(parts, mostParts).filter(({ entity }) => (letters += entity.name.length) <= mostLetters)
}

/** New and lost rankings come first, best position first; then the largest amounts: a tenth of many is more than half of a few. */
function byMoved(a: Finding, b: Finding): number {
  const [left, right] = [movedBy(a) ?? Number.MAX_VALUE, movedBy(b) ?? Number.MAX_VALUE]
  return right - left || placeOf(a) - placeOf(b)
}

function movedBy({ metric, current, previous, change }: Finding): number | null {
  if (current === null || previous === null) return null
  return metric === 'clicks' || metric === 'impressions' ? Math.abs(current - previous) : Math.abs(change ?? Number.MAX_VALUE)
}

const placeOf = ({ current, previous }: Finding): number => current ?? previous ?? 0
