import { clsx } from 'clsx'
import { Eye, ListOrdered, MousePointerClick, Percent, type LucideIcon } from 'lucide-react'
import { useId } from 'react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import type { ConditionType, Monitor } from '../../../contract/alert-conditions.ts'
import { comparisonOptions, monitorOptions } from '../../../core/alerting/options.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Card } from '../../ui/Card.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { Select } from '../../ui/Select.tsx'
import { SwitchControl } from '../../ui/Switch.tsx'
import { brokenFields, type CardValues, type SettingsForm } from './card-values.ts'
import type { RuleCard } from './condition-cards.ts'
import { RuleProblem } from './RuleProblem.tsx'
import { thresholdLabel, thresholdUnit } from './rule-words.ts'
import { TargetsField } from './TargetsField.tsx'

export const cardGridClass = 'grid grid-cols-1 gap-4 lg:grid-cols-2 xl:gap-5'

const icons: Record<ConditionType, LucideIcon> = { clicks: MousePointerClick, ctr: Percent, impressions: Eye, position: ListOrdered }

type ConditionCardProps = { card: RuleCard; form: UseFormReturn<SettingsForm>; saved: CardValues }

export function ConditionCard({ card: { type, rule, condition }, form, saved }: ConditionCardProps) {
  const id = useId()
  const { control, register, setValue, clearErrors, getValues } = form
  const values = useWatch({ control, name: type })
  const errors = form.formState.errors[type]
  const Icon = icons[type]

  function turn(isEnabled: boolean): void {
    setValue(`${type}.isEnabled`, isEnabled)
    if (isEnabled) return
    // What is inactive cannot be mended, so that what will not do goes back to what it was.
    for (const field of brokenFields(type, getValues(type))) setValue(`${type}.${field}`, saved[field])
    clearErrors(type)
  }

  function choose(monitor: Monitor): void {
    setValue(`${type}.monitor`, monitor)
    // Pages are no queries.
    setValue(`${type}.targets`, monitor === saved.monitor ? saved.targets : '')
    clearErrors(`${type}.targets`)
  }

  return (
    <section aria-labelledby={id}>
      <Card className="h-full">
        <div className="flex items-center gap-3">
          <span
            className={clsx(
              'flex size-9 shrink-0 items-center justify-center rounded-control transition-colors duration-150 [&_svg]:size-4.5',
              values.isEnabled ? 'bg-brand-soft text-brand' : 'bg-sunken text-muted',
            )}
          >
            <Icon aria-hidden />
          </span>
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-1">
            <h3 id={id} className="min-w-0 text-base font-semibold break-words">
              {condition.title}
            </h3>
            {rule === null && <Badge>Not saved yet</Badge>}
          </div>
          <SwitchControl labelledBy={id} checked={values.isEnabled} onChange={turn} />
        </div>
        {rule?.problem && <RuleProblem>{rule.problem}</RuleProblem>}
        <fieldset
          disabled={!values.isEnabled}
          className="mt-5 flex min-w-0 flex-col gap-4 transition-opacity duration-150 disabled:opacity-55 [&_:disabled]:opacity-100!"
        >
          <legend className="sr-only">{condition.title}</legend>
          <Controller
            control={control}
            name={`${type}.monitor`}
            render={({ field }) => (
              <Select
                label="Monitor"
                placeholder="Choose what to monitor"
                value={field.value}
                choices={rule?.monitorOptions ?? monitorOptions(condition.kind)}
                disabled={!values.isEnabled}
                onChange={(monitor) => choose(monitor as Monitor)}
              />
            )}
          />
          {(values.monitor === 'pages' || values.monitor === 'queries') && (
            <TargetsField
              of={values.monitor}
              empty={values.targets.trim() === ''}
              error={errors?.targets?.message}
              {...register(`${type}.targets`)}
            />
          )}
          <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
            <NumberField
              label={thresholdLabel(condition)}
              unit={thresholdUnit(condition)}
              min={1}
              max={condition.thresholdUnit === '%' ? 100 : undefined}
              error={errors?.threshold?.message}
              {...register(`${type}.threshold`, { valueAsNumber: true })}
            />
            {values.comparison !== null && (
              <Controller
                control={control}
                name={`${type}.comparison`}
                render={({ field }) => (
                  <Select
                    label="Compare with"
                    placeholder="Choose a period"
                    value={field.value}
                    choices={rule?.comparisonOptions ?? comparisonOptions}
                    disabled={!values.isEnabled}
                    onChange={field.onChange}
                  />
                )}
              />
            )}
            {values.minimumImpressions !== null && (
              <NumberField
                label="Minimum impressions"
                min={1}
                error={errors?.minimumImpressions?.message}
                {...register(`${type}.minimumImpressions`, { valueAsNumber: true })}
              />
            )}
          </div>
        </fieldset>
      </Card>
    </section>
  )
}
