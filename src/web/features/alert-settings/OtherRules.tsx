import { Copy, Pencil, Trash2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import { IconButton } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog.tsx'
import { SwitchControl } from '../../ui/form/Switch.tsx'
import { Backtest } from '../../widgets/rule-form/Backtest.tsx'
import { conditionOf, valuesOf } from '../../widgets/rule-form/rule-values.ts'
import { ruleSummary } from '../../widgets/rule-form/copy.ts'
import { RuleRating } from './RuleRating.tsx'
import { RuleProblem } from './RuleProblem.tsx'
import type { OpenRule } from './use-open-rule.ts'
import { useOtherRule } from './use-rule-actions.ts'

const EditRuleDialog = lazy(async () => ({ default: (await import('./EditRuleDialog.tsx')).EditRuleDialog }))

type Shared = { property: string; opened: OpenRule; onDuplicate: (rule: AlertCondition) => void }

/** Rules beyond the four cards. */
export function OtherRules({ rules, ...shared }: Shared & { rules: readonly AlertCondition[] }) {
  return (
    <SectionCard title="Other rules" description="Changes apply immediately.">
      <ul className="-my-4 divide-y divide-line">
        {rules.map((rule) => (
          <OtherRule key={rule.id} rule={rule} {...shared} />
        ))}
      </ul>
    </SectionCard>
  )
}

function OtherRule({ property, rule, opened, onDuplicate }: Shared & { rule: AlertCondition }) {
  const id = useId()
  const row = useRef<HTMLLIElement>(null)
  const edit = useRef<HTMLButtonElement>(null)
  const [asking, setAsking] = useState(false)
  const { turn, turnedTo, remove, isRemoving } = useOtherRule(property, rule)
  const isOpen = opened.id === rule.id
  const condition = conditionOf(rule)

  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'center' })
  }, [isOpen])

  return (
    <li ref={row} className="grid grid-cols-1 items-start gap-x-10 gap-y-2 py-4 lg:grid-cols-2">
      <div>
        <div className="flex flex-wrap items-start gap-x-3">
          <div className="min-w-0 flex-1 basis-56 py-2">
            <h3 id={id} className="font-medium break-words">
              {rule.title}
            </h3>
            <p className="text-sm text-muted">{ruleSummary(rule)}</p>
          </div>
          <div className="-ml-2.5 flex flex-1 items-center sm:flex-none">
            <IconButton ref={edit} aria-label={`Edit ${rule.title}`} onClick={() => opened.open(rule.id)}>
              <Pencil aria-hidden />
            </IconButton>
            <IconButton aria-label={`Duplicate ${rule.title}`} onClick={() => onDuplicate(rule)}>
              <Copy aria-hidden />
            </IconButton>
            <IconButton aria-label={`Delete ${rule.title}`} onClick={() => setAsking(true)}>
              <Trash2 aria-hidden />
            </IconButton>
            <div className="ml-auto flex">
              <SwitchControl labelledBy={id} checked={turnedTo ?? rule.isEnabled} disabled={turnedTo !== null} onChange={turn} />
            </div>
          </div>
        </div>
        <RuleProblem rule={rule} />
      </div>
      <div>
        <Backtest property={property} rule={condition} values={valuesOf(condition)} />
        <RuleRating property={property} rule={rule} />
      </div>
      <Suspense>
        {isOpen && <EditRuleDialog property={property} rule={rule} onClose={opened.close} finalFocus={() => edit.current} />}
      </Suspense>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Delete ${rule.title}?`}
        description="This ends its open alerts. Past alerts stay in Alert History."
        confirm="Delete rule"
        pending={isRemoving}
        onConfirm={() => remove(undefined, { onSettled: () => setAsking(false) })}
      />
    </li>
  )
}
