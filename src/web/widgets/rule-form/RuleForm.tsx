import { type ChangeEvent, useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { monitor as monitors, type Monitor } from '../../../contract/alerts/conditions.ts'
import type { Condition } from '../../../core/alerting/defaults.ts'
import { monitorOptions, noSegment } from '../../../core/alerting/options.ts'
import { directionOf } from '../../../core/alerting/rule.ts'
import { failureText } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { Backtest } from './Backtest.tsx'
import { ThresholdFields } from './ThresholdFields.tsx'
import { createTypedTargets, refusedField, valuesOf } from './rule-values.ts'
import {
  type About,
  aboutChoices,
  aboutChanged,
  abouts,
  checkRuleForm,
  defaultAbout,
  formOf,
  type RuleFormValues,
  ruleFormFields,
  typeOf,
} from './rule-form-values.ts'
import { RuleSearchType } from './RuleSearchType.tsx'
import { RuleSegment } from './RuleSegment.tsx'
import { TargetsField } from './TargetsField.tsx'

type RuleFormProps = {
  property: string
  /** The form's initial values. */
  start: Condition
  /** A stored rule's subject can't change. */
  isStored: boolean
  submit: { label: string; busy: string; failed: string; act: (values: RuleFormValues) => Promise<void> }
  onCancel: () => void
}

const formFields = [
  'title',
  'about',
  'isEnabled',
  'direction',
  'onlyUnusual',
  'monitor',
  'targets',
  'searchType',
  'segment',
  'threshold',
  'comparison',
  'minimumImpressions',
  'sensitivity',
] as const

/** The fields of one rule, and what it would have done, before saving (SPEC §5). */
export function RuleForm({ property, start, isStored, submit, onCancel }: RuleFormProps) {
  const form = useForm<RuleFormValues>({ resolver: checkRuleForm, defaultValues: formOf(start) })
  const { control, register, setValue, clearErrors } = form
  const { errors, isSubmitting, dirtyFields } = form.formState
  const [title, about, ...watched] = useWatch({ control, name: formFields })
  const [isEnabled, direction, onlyUnusual, monitor, targets, searchType, segment, threshold, comparison, minimumImpressions, sensitivity] =
    watched
  const fields = {
    isEnabled,
    direction,
    onlyUnusual,
    monitor,
    targets,
    searchType,
    segment,
    threshold,
    comparison,
    minimumImpressions,
    sensitivity,
  }
  const [problem, setProblem] = useState<string | null>(null)
  const rule = { ...typeOf(about), title, thresholdUnit: defaultAbout(about).thresholdUnit }

  const [typed] = useState(createTypedTargets)
  const targetsFor = (chosen: Monitor) => typed({ monitor, targets }, chosen, valuesOf(start))

  function chooseAbout(chosen: About): void {
    const changed = aboutChanged({ ...fields, title, about }, chosen)
    form.reset({ ...changed, targets: targetsFor(changed.monitor) }, { keepDefaultValues: true })
  }

  function chooseMonitor(value: string): void {
    const chosen = monitors.parse(value)
    setValue('monitor', chosen)
    setValue('targets', targetsFor(chosen))
    if (noSegment({ ...rule, monitor: chosen }) !== null) setValue('segment', null)
    clearErrors(['targets', 'searchType', 'segment'])
  }

  async function save(given: RuleFormValues): Promise<void> {
    setProblem(null)
    try {
      await submit.act(given)
    } catch (error) {
      const message = failureText(error, submit.failed)
      const field = refusedField(error, ruleFormFields)
      if (field) form.setError(field, { message }, { shouldFocus: true })
      else setProblem(message)
    }
  }

  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit(save)}>
      <Field
        label="Title"
        autoComplete="off"
        error={errors.title?.message}
        {...register('title', {
          // A new rule named a spike looks for one, unless something else was chosen.
          onChange: (event: ChangeEvent<HTMLInputElement>) => {
            if (!isStored && rule.kind === 'change' && dirtyFields.direction !== true)
              setValue('direction', directionOf(event.target.value))
          },
        })}
      />
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
        <Select
          label="Alert about"
          placeholder="Choose a metric or event"
          value={about}
          choices={aboutChoices}
          disabled={isStored}
          onChange={(chosen) => chooseAbout(abouts.parse(chosen))}
        />
        <Select
          label="Monitor"
          placeholder="Choose what to monitor"
          value={monitor}
          choices={monitorOptions(rule)}
          onChange={chooseMonitor}
        />
      </div>
      {(monitor === 'pages' || monitor === 'queries') && (
        <TargetsField
          property={property}
          of={monitor}
          searchType={searchType}
          typed={targets}
          error={errors.targets?.message}
          onPropose={(names) => setValue('targets', names)}
          {...register('targets')}
        />
      )}
      <RuleSearchType
        property={property}
        rule={rule}
        monitor={monitor}
        value={searchType}
        error={errors.searchType?.message}
        onChange={(chosen) => {
          setValue('searchType', chosen)
          clearErrors(['searchType', 'segment'])
        }}
      />
      <RuleSegment
        rule={rule}
        monitor={monitor}
        searchType={searchType}
        value={segment}
        error={errors.segment?.message}
        onChange={(chosen) => {
          setValue('segment', chosen)
          clearErrors('segment')
        }}
      />
      <ThresholdFields
        rule={rule}
        monitor={monitor}
        direction={direction}
        onDirection={(chosen) => setValue('direction', chosen, { shouldDirty: true })}
        onlyUnusual={onlyUnusual}
        onOnlyUnusual={(on) => setValue('onlyUnusual', on)}
        sensitivity={sensitivity}
        onSensitivity={(chosen) => setValue('sensitivity', chosen)}
        comparison={comparison}
        onCompare={(chosen) => setValue('comparison', chosen)}
        threshold={{ error: errors.threshold?.message, ...register('threshold', { valueAsNumber: true }) }}
        minimumImpressions={
          minimumImpressions === null
            ? null
            : { error: errors.minimumImpressions?.message, ...register('minimumImpressions', { valueAsNumber: true }) }
        }
      />
      <Backtest property={property} rule={rule} values={fields} className="border-t border-line pt-3" />
      <Controller
        control={control}
        name="isEnabled"
        render={({ field }) => (
          <Switch
            label="Enabled"
            hint="Checked whenever a new complete day of data comes in."
            checked={field.value}
            onChange={(on) => field.onChange(on)}
          />
        )}
      />
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={isSubmitting}>
          {isSubmitting ? submit.busy : submit.label}
        </Button>
      </div>
    </form>
  )
}
