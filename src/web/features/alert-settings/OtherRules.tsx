import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy, Pencil, Trash2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import { changeCondition, conditionsQuery, duplicateCondition, removeCondition, showCondition } from '../../api/alert-conditions.ts'
import { reloadAlerts } from '../../api/alerts.ts'
import { failureText } from '../../api/client.ts'
import { IconButton } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog.tsx'
import { SwitchControl } from '../../ui/form/Switch.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Backtest } from '../../widgets/rule-form/Backtest.tsx'
import { conditionOf, valuesOf } from '../../widgets/rule-form/rule-values.ts'
import { ruleSummary } from '../../widgets/rule-form/copy.ts'
import { RuleRating } from './RuleRating.tsx'
import { RuleProblem } from './RuleProblem.tsx'
import type { OpenRule } from './use-open-rule.ts'

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

type Named = Pick<AlertCondition, 'id' | 'title'>

/** Switches a rule on or off, or deletes it; both take effect at once. */
function useOtherRule(property: string, { id, title }: Named) {
  const client = useQueryClient()
  // Either may end alerts.
  const reload = () => Promise.all([client.invalidateQueries(conditionsQuery(property)), reloadAlerts(client)])
  const turning = useMutation({
    mutationFn: (isEnabled: boolean) => changeCondition(id, { isEnabled }),
    onSuccess: (_rule, isEnabled) => toast.success('Settings Saved', `${title} is ${isEnabled ? 'on' : 'off'}.`),
    onError: (error) => toast.error('Rule Not Changed', failureText(error, 'The rule could not be changed. Please try again.')),
    onSettled: reload,
  })
  const removing = useMutation({
    mutationFn: () => removeCondition(id),
    onSuccess: () => toast.success('Rule Deleted', title),
    onError: (error) => toast.error('Rule Not Deleted', failureText(error, 'The rule could not be deleted. Please try again.')),
    onSettled: reload,
  })
  return {
    turn: turning.mutate,
    /** The state being switched to; null if nothing is pending. */
    turnedTo: turning.isPending ? turning.variables : null,
    remove: removing.mutate,
    isRemoving: removing.isPending,
  }
}

/** Duplicates a rule as saved, and opens the copy. */
export function useDuplicateRule(property: string, open: (id: string) => void) {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: ({ id }: Named) => duplicateCondition(id),
    onSuccess: (copy) => {
      showCondition(client, property, copy)
      toast.success('Rule Duplicated', `${copy.title} is off until you turn it on.`)
      open(copy.id)
    },
    onError: (error, { title }) =>
      toast.error('Rule Not Duplicated', `${title}: ${failureText(error, 'The rule could not be duplicated. Please try again.')}`),
    onSettled: () => client.invalidateQueries(conditionsQuery(property)),
  })
  return mutate
}
