import type { NewCondition } from '../../../../contract/alerts/conditions.ts'
import { directionOf } from '../../../../core/alerting/rule.ts'
import { cutAfter } from '../../../lib/format.ts'
import { pagePath } from '../../../../core/analytics/page-path.ts'
import type { Detail } from './detail-link.ts'

const longestTarget = 2_048
/** Maximum length of a name within a title. */
const longestName = 50

/** A suitable rule for somebody looking at a page or query; null if no rule can name it. */
export function ruleFor({ kind, name }: Detail): NewCondition | null {
  // Targets are written one per line.
  if (name.length > longestTarget || /[\r\n]/.test(name) || name !== name.trim()) return null
  return kind === 'page'
    ? { type: 'clicks', monitor: 'pages', targets: [name], title: titled('Clicks drop', pagePath(name)) }
    : { type: 'position', monitor: 'queries', targets: [name], title: titled('Position drop', name) }
}

/** Includes the name unless that would invert the rule (SPEC §5: "spike"). */
function titled(what: string, name: string): string {
  const whole = `${what}: ${cutAfter(name, longestName)}`
  return directionOf(whole) === directionOf(what) ? whole : what
}
