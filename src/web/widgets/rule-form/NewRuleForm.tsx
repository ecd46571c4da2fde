import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import { type Condition, defaultOf, withDefaults } from '../../../core/alerting/defaults.ts'
import { templatesQuery } from '../../api/alert-conditions.ts'
import { failureText } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { RuleForm } from './RuleForm.tsx'
import { newConditionOf } from './rule-form-values.ts'
import { useCreateRule } from './use-create-rule.ts'

type NewRuleFormProps = { property: string; initial: NewCondition | null; onDone: () => void }

/** The form's choice for no template; null if it starts with given values. */
const blank = 'blank'
type Choice = string | null
const blankRule: Condition = { ...defaultOf('clicks', 'change'), onlyUnusual: false, title: '' }

/** The form for a new rule, based on a template or empty (OPEN-POINTS 11). */
export function NewRuleForm({ property, initial, onDone }: NewRuleFormProps) {
  const [from, setFrom] = useState<{ template: Choice; start: Condition }>(
    initial === null ? { template: blank, start: blankRule } : { template: null, start: withDefaults(initial) },
  )
  const create = useCreateRule(property, onDone)
  return (
    <div className="flex flex-col gap-4">
      <TemplateChoice
        chosen={from.template}
        onChoose={(template, condition) => setFrom({ template, start: condition === null ? blankRule : withDefaults(condition) })}
      />
      <RuleForm
        // Another template is another form: nothing of the previous one remains.
        key={from.template}
        property={property}
        start={from.start}
        isStored={false}
        submit={{
          label: 'Create Alert',
          busy: 'Creating...',
          failed: 'The rule could not be created. Please try again.',
          act: async (values) => void (await create.mutateAsync(newConditionOf(values))),
        }}
        onCancel={onDone}
      />
    </div>
  )
}

type TemplateChoiceProps = { chosen: Choice; onChoose: (template: string, condition: NewCondition | null) => void }

function TemplateChoice({ chosen, onChoose }: TemplateChoiceProps) {
  const { data: templates, error, isFetching, refetch } = useQuery(templatesQuery)
  const description = templates?.find(({ id }) => id === chosen)?.description
  return (
    <div>
      <Select
        label="Start from"
        placeholder="Choose a template"
        value={chosen}
        choices={[{ value: blank, label: 'Blank rule' }, ...(templates ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(id) => onChoose(id, templates?.find((template) => template.id === id)?.condition ?? null)}
      />
      {description !== undefined && <p className="mt-1.5 text-sm text-muted">{description}</p>}
      {error !== null && (
        <div className="mt-1.5 flex flex-wrap items-center gap-3 text-sm">
          <p className="text-critical">{failureText(error, 'The templates could not be loaded.')}</p>
          <Button disabled={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}
