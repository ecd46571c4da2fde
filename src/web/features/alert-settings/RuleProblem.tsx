import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import { leftOutText } from '../../../core/alerting/bounds.ts'
import { WarningNote } from '../../ui/WarningNote.tsx'

/** Why a rule's last evaluation failed, or how many findings exceeded the alert limit. */
export function RuleProblem({ rule: { problem, leftOut } }: { rule: Pick<AlertCondition, 'problem' | 'leftOut'> }) {
  const text = problem ?? (leftOut > 0 ? leftOutText(leftOut) : null)
  return text === null ? null : <WarningNote className="mt-3">{text}</WarningNote>
}
