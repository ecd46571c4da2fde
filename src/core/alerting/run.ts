import type { IsoDate } from '../../contract/common.ts'
import { isComparable, isInterrupted } from '../analytics/anomalies.ts'
import { evaluate, type EntityFigures, type Finding } from './evaluate.ts'
import { figureOf } from './figures.ts'
import type { Verdict } from './lifecycle.ts'
import type { Rule } from './rule.ts'
import { isComplete, type Windows } from './windows.ts'

/** What one rule is evaluated on. */
export type RuleInput = { rule: Rule; windows: Windows; entities: readonly EntityFigures[] }

export type RuleVerdicts =
  | { ruleId: string; verdicts: readonly Verdict[] }
  /** A window has days that Google hasn't completed or didn't fully log, or that aren't stored. */
  | { ruleId: string; waiting: true }

/**
 * Evaluates every rule by itself, so that neither their order nor a broken one matters.
 * @param completeDays the days of the property whose figures are stored and final
 */
export function evaluateRules(inputs: readonly RuleInput[], completeDays: ReadonlySet<IsoDate>): RuleVerdicts[] {
  return inputs.map(({ rule, windows, entities }) => {
    if (!isComplete(windows.current, completeDays) || !isComplete(windows.base, completeDays) || isBroken(rule, windows))
      return { ruleId: rule.id, waiting: true }
    const verdicts = entities.map((figures) => ({
      ruleId: rule.id,
      entity: figures.entity,
      finding: evaluate(rule, figures, windows),
      current: figureOf(rule.metric, figures.current),
      ...(rule.kind === 'lost_query' && { limit: rule.threshold }),
    }))
    return { ruleId: rule.id, verdicts }
  })
}

/** Whether the compared windows aren't comparable because of a few days that Google counted differently. */
function isBroken({ kind, metric, searchType }: Rule, { current, base }: Windows): boolean {
  const compared = kind === 'change' ? metric : kind === 'lost_query' ? 'position' : null
  if (compared === null || isComparable(compared, current, base, searchType)) return false
  return [current, base].some((window) => isInterrupted(compared, window, searchType))
}

/** The findings of a run, in the order of its rules. */
export const findingsOf = (runs: readonly RuleVerdicts[]): Finding[] =>
  runs.flatMap((run) => ('verdicts' in run ? run.verdicts.flatMap(({ finding }) => (finding ? [finding] : [])) : []))
