import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { AlertCondition } from '../../../contract/alert-conditions.ts'
import { IconButton } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { SwitchControl } from '../../ui/Switch.tsx'
import { RuleProblem } from './RuleProblem.tsx'
import { ruleSummary } from './rule-words.ts'
import { useOtherRule } from './use-other-rule.ts'

type OtherRulesProps = { property: string; rules: readonly AlertCondition[] }

/** Rules beyond the four. */
export function OtherRules({ property, rules }: OtherRulesProps) {
  return (
    <SectionCard title="Other rules" description="Switching one on or off, or deleting it, takes effect at once.">
      <ul className="-my-3 divide-y divide-line">
        {rules.map((rule) => (
          <OtherRule key={rule.id} property={property} rule={rule} />
        ))}
      </ul>
    </SectionCard>
  )
}

function OtherRule({ property, rule }: { property: string; rule: AlertCondition }) {
  const id = useId()
  const [asking, setAsking] = useState(false)
  const { turn, turnedTo, remove, isRemoving } = useOtherRule(property, rule)
  return (
    <li className="py-3">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <p id={id} className="font-medium break-words">
            {rule.title}
          </p>
          <p className="text-sm text-muted">{ruleSummary(rule)}</p>
        </div>
        <SwitchControl labelledBy={id} checked={turnedTo ?? rule.isEnabled} disabled={turnedTo !== null} onChange={turn} />
        <IconButton aria-label={`Delete ${rule.title}`} onClick={() => setAsking(true)}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
      {rule.problem && <RuleProblem>{rule.problem}</RuleProblem>}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Delete ${rule.title}?`}
        description="Its open alerts end with it. What it found so far stays readable."
        confirm="Delete rule"
        pending={isRemoving}
        onConfirm={() => remove(undefined, { onSettled: () => setAsking(false) })}
      />
    </li>
  )
}
