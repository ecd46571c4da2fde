import { clsx } from 'clsx'
import { Copy, Eye, ListOrdered, MousePointerClick, Percent, type LucideIcon } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { type ConditionType, monitor as monitors } from '../../../contract/alerts/conditions.ts'
import { monitorOptions, noSegment } from '../../../core/alerting/options.ts'
import { Badge } from '../../ui/Badge.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { SwitchControl } from '../../ui/form/Switch.tsx'
import { Backtest } from '../../widgets/rule-form/Backtest.tsx'
import { ThresholdFields } from '../../widgets/rule-form/ThresholdFields.tsx'
import { createTypedTargets, type RuleValues } from '../../widgets/rule-form/rule-values.ts'
import { RuleSearchType } from '../../widgets/rule-form/RuleSearchType.tsx'
import { RuleSegment } from '../../widgets/rule-form/RuleSegment.tsx'
import { TargetsField } from '../../widgets/rule-form/TargetsField.tsx'
import { brokenFields, type SettingsValues } from './card-values.ts'
import type { RuleCard } from './condition-cards.ts'
import { RuleRating } from './RuleRating.tsx'
import { RuleProblem } from './RuleProblem.tsx'
import type { OpenRule } from './use-open-rule.ts'

export const cardGridClass = 'grid grid-cols-1 gap-4 lg:grid-cols-2 xl:gap-5'

const icons: Record<ConditionType, LucideIcon> = { clicks: MousePointerClick, ctr: Percent, impressions: Eye, position: ListOrdered }

type ConditionCardProps = {
  property: string
  card: RuleCard
  form: UseFormReturn<SettingsValues>
  saved: RuleValues
  isChanged: boolean
  opened: OpenRule
  onDuplicate: (rule: { id: string; title: string }) => void
}

export function ConditionCard({ property, card, form, saved, isChanged, opened, onDuplicate }: ConditionCardProps) {
  const { type, rule, condition } = card
  const id = useId()
  const heading = useArrival(rule !== null && opened.id === rule.id, opened.close)
  const { control, register, setValue, clearErrors, getValues } = form
  const values = useWatch({ control, name: type })
  const errors = form.formState.errors[type]
  const [typed] = useState(createTypedTargets)
  const Icon = icons[type]

  function turn(isEnabled: boolean): void {
    setValue(`${type}.isEnabled`, isEnabled)
    if (isEnabled) return
    // Inactive fields can't be fixed, so invalid values revert.
    for (const field of brokenFields(type, getValues(type))) setValue(`${type}.${field}`, saved[field])
    clearErrors(type)
  }

  function choose(chosen: string): void {
    const monitor = monitors.parse(chosen)
    setValue(`${type}.monitor`, monitor)
    setValue(`${type}.targets`, typed(values, monitor, saved))
    if (noSegment({ kind: condition.kind, monitor }) !== null) setValue(`${type}.segment`, null)
    clearErrors([`${type}.targets`, `${type}.searchType`, `${type}.segment`])
  }

  return (
    <section aria-labelledby={id}>
      <Card className="flex h-full flex-col">
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
            <h3 id={id} ref={heading} tabIndex={-1} className="min-w-0 scroll-mt-40 rounded-md text-base font-semibold break-words">
              {condition.title}
            </h3>
            {rule === null ? <Badge>Not saved yet</Badge> : isChanged && <Badge tone="brand">Unsaved changes</Badge>}
          </div>
          {rule !== null && (
            <IconButton aria-label={`Duplicate ${condition.title}`} className="-mr-2 text-muted!" onClick={() => onDuplicate(rule)}>
              <Copy aria-hidden />
            </IconButton>
          )}
          <SwitchControl labelledBy={id} checked={values.isEnabled} onChange={turn} />
        </div>
        {rule && <RuleProblem rule={rule} />}
        <fieldset
          disabled={!values.isEnabled}
          className="mt-5 flex min-w-0 flex-1 flex-col gap-4 transition-opacity duration-150 disabled:opacity-55 [&_:disabled]:opacity-100!"
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
                choices={rule?.monitorOptions ?? monitorOptions(condition)}
                disabled={!values.isEnabled}
                onChange={choose}
              />
            )}
          />
          {(values.monitor === 'pages' || values.monitor === 'queries') && (
            <TargetsField
              property={property}
              of={values.monitor}
              searchType={values.searchType}
              typed={values.targets}
              error={errors?.targets?.message}
              onPropose={(names) => setValue(`${type}.targets`, names)}
              {...register(`${type}.targets`)}
            />
          )}
          <RuleSearchType
            property={property}
            rule={condition}
            monitor={values.monitor}
            value={values.searchType}
            error={errors?.searchType?.message}
            disabled={!values.isEnabled}
            onChange={(searchType) => {
              setValue(`${type}.searchType`, searchType)
              clearErrors([`${type}.searchType`, `${type}.segment`])
            }}
          />
          <RuleSegment
            rule={condition}
            monitor={values.monitor}
            searchType={values.searchType}
            value={values.segment}
            error={errors?.segment?.message}
            disabled={!values.isEnabled}
            onChange={(segment) => {
              setValue(`${type}.segment`, segment)
              clearErrors(`${type}.segment`)
            }}
          />
          <ThresholdFields
            rule={condition}
            monitor={values.monitor}
            direction={values.direction}
            onDirection={(direction) => setValue(`${type}.direction`, direction)}
            onlyUnusual={values.onlyUnusual}
            onOnlyUnusual={(on) => setValue(`${type}.onlyUnusual`, on)}
            disabled={!values.isEnabled}
            sensitivity={values.sensitivity}
            onSensitivity={(sensitivity) => setValue(`${type}.sensitivity`, sensitivity)}
            comparison={values.comparison}
            onCompare={(comparison) => setValue(`${type}.comparison`, comparison)}
            threshold={{ error: errors?.threshold?.message, ...register(`${type}.threshold`, { valueAsNumber: true }) }}
            minimumImpressions={
              values.minimumImpressions === null
                ? null
                : {
                    error: errors?.minimumImpressions?.message,
                    ...register(`${type}.minimumImpressions`, { valueAsNumber: true }),
                  }
            }
          />
        </fieldset>
        <Backtest property={property} rule={condition} values={values} className="mt-5 border-t border-line pt-3" />
        {rule && <RuleRating property={property} rule={rule} />}
      </Card>
    </section>
  )
}

/** Scrolls the target of a visit into view and focuses it, once. */
function useArrival(isHere: boolean, arrived: () => void) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isHere) return
    // After the new screen has moved the focus to its start.
    const frame = requestAnimationFrame(() => {
      ref.current?.focus({ preventScroll: true })
      ref.current?.scrollIntoView({ block: 'start' })
      arrived()
    })
    return () => cancelAnimationFrame(frame)
  }, [isHere, arrived])
  return ref
}
