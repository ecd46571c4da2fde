import type { RuleProposal } from '../../../contract/alerts/conditions.ts'
import { addDays, daysBetween, later } from '../../../core/analytics/days.ts'
import { countOf, fewestRated, type RatedAlert, settingsToTry, stillOpened, supportOf } from '../../../core/alerting/unusual/proposal.ts'
import type { Rule } from '../../../core/alerting/rule.ts'
import type { Within } from '../../facts/filter-sql.ts'
import { type BacktestDeps, tryRule } from '../backtest.ts'

type Property = Parameters<typeof tryRule>[1]

/** How many days of alerts show how useful a rule is, and what another setting would have done. */
export const ratedDays = 365
export const daysAgo = (days: number, now: Date): Date => new Date(now.getTime() - days * 86_400_000)

/** Finds another setting that a rule's rated alerts suggest, by trying each candidate on the stored history. */
export async function proposeFor(
  deps: BacktestDeps,
  property: Property,
  { rule, within }: { rule: Rule; within: Within | undefined },
  rated: readonly RatedAlert[],
): Promise<RuleProposal> {
  if (rated.length < fewestRated) return null
  const now = await tryRule(deps, property, rule, within)
  if (!now || now.from === null) return null
  const { opened } = stillOpened(rated, now)
  const from = later(now.from, addDays(now.through, 1 - ratedDays))
  for (const setting of settingsToTry(rule, opened)) {
    const proposed = await tryRule(deps, property, { ...rule, ...setting }, within)
    const support = proposed && supportOf(rule, setting, opened, { now, proposed })
    if (!support) continue
    return {
      change: setting,
      ...support,
      alerts: { now: countOf(now, from), proposed: countOf(proposed, from), days: daysBetween(from, now.through) },
    }
  }
  return null
}
