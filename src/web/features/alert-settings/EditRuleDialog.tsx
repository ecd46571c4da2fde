import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AlertCondition, ConditionChange } from '../../../contract/alerts/conditions.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { changeCondition, conditionsQuery, showCondition } from '../../api/alert-conditions.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { formOf, type RuleFormValues } from '../../widgets/rule-form/rule-form-values.ts'
import { changesOf, conditionOf, fieldsOf } from '../../widgets/rule-form/rule-values.ts'
import { RuleForm } from '../../widgets/rule-form/RuleForm.tsx'
import { RuleProblem } from './RuleProblem.tsx'

type EditRuleDialogProps = { property: string; rule: AlertCondition; onClose: () => void; finalFocus: () => HTMLElement | null }

/** Changes a rule without a card. */
export function EditRuleDialog({ property, rule, onClose, finalFocus }: EditRuleDialogProps) {
  const client = useQueryClient()
  const start = conditionOf(rule)
  const save = useMutation({
    mutationFn: async (change: ConditionChange) => (Object.keys(change).length === 0 ? rule : changeCondition(rule.id, change)),
    onSuccess: (saved) => {
      showCondition(client, property, saved)
      toast.success('Settings Saved', saved.title)
      onClose()
    },
    // It may have been deleted elsewhere; the input stays readable.
    onSettled: () => client.invalidateQueries(conditionsQuery(property)),
  })

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title="Edit Alert"
      description={<span className="wrap-anywhere">For {propertyName(property)}</span>}
      finalFocus={finalFocus}
    >
      {rule.problem !== null && (
        <div className="mb-4">
          <RuleProblem rule={rule} />
        </div>
      )}
      <RuleForm
        property={property}
        start={start}
        isStored
        submit={{
          label: 'Save Alert',
          busy: 'Saving...',
          failed: 'The rule could not be saved. Please try again.',
          act: async (values) => void (await save.mutateAsync(changeIn(rule, formOf(start), values))),
        }}
        onCancel={onClose}
      />
    </Dialog>
  )
}

function changeIn(
  { problem }: AlertCondition,
  { about: _was, ...before }: RuleFormValues,
  { about: _is, ...after }: RuleFormValues,
): ConditionChange {
  // A rule that can't be read is repaired by saving all of it again.
  return problem === null ? changesOf(before, after) : fieldsOf(after)
}
