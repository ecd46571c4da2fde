import type { AlertCondition, RuleProposal } from '../../../contract/alerts/conditions.ts'
import { sensitivityOptions } from '../../../core/alerting/options.ts'
import { counted } from '../../widgets/rule-form/copy.ts'

type Rule = Pick<AlertCondition, 'monitor' | 'thresholdUnit'>

/** "12 of 14 rated alerts were useful" */
export const ratedSentence = ({ useful, of }: NonNullable<AlertCondition['rated']>): string =>
  of === 1 ? `${useful} of 1 rated alert was useful` : `${useful} of ${of} rated alerts were useful`

/** The proposed setting, and its backtest. */
export function proposalWords(proposal: NonNullable<RuleProposal>, rule: Rule): { what: string; why: string } {
  const { useful, noise, alerts } = proposal
  const dropped = noise.of - noise.kept
  const kept = useful.of === 0 ? [] : [`kept ${useful.of === 1 ? 'the useful alert' : `all ${useful.of} useful alerts`}`]
  const left = dropped === 0 ? [] : [`dropped ${dropped} of ${noise.of} rated as noise`]
  const span = alerts.days >= 365 ? 'the last 12 months' : `the last ${counted(alerts.days, 'day')}`
  return {
    what: whatOf(proposal, rule),
    why: `It would have ${[...kept, ...left].join(' and ')}: ${counted(alerts.proposed, 'alert')} in ${span} instead of ${alerts.now}.`,
  }
}

function whatOf(
  { change: { sensitivity, onlyUnusual, threshold } }: NonNullable<RuleProposal>,
  { monitor, thresholdUnit: unit }: Rule,
): string {
  if (sensitivity !== undefined)
    return `Set sensitivity to “${sensitivityOptions(monitor).find(({ value }) => value === sensitivity)?.label}”`
  if (onlyUnusual === true) return 'Turn on “Only when unusual”'
  return `Raise the threshold to ${unit === '%' ? `${threshold}%` : counted(threshold ?? 0, 'position')}`
}
