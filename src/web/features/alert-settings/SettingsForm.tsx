import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type ReactNode, useId, useMemo, useState } from 'react'
import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import { type HolidayCountry as Holidays, noHolidays } from '../../../contract/alerts/holiday-country.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { countryName } from '../../../core/analytics/country-name.ts'
import { backtestPath, holidayCountryQuery, saveHolidayCountry } from '../../api/alert-conditions.ts'
import { failureText } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { otherRules } from './condition-cards.ts'
import { cardGridClass, ConditionCard } from './ConditionCard.tsx'
import { OtherRules, useDuplicateRule } from './OtherRules.tsx'
import { type Drafts, useConditionsDraft } from './use-conditions-draft.ts'
import type { OpenRule } from './use-open-rule.ts'

/** The delivery area, whether it has unsaved changes, and how to save it: resolves to whether everything was saved. */
export type Delivery = { section: ReactNode; isDirty: boolean; save: () => Promise<boolean> }

type SettingsFormProps = {
  property: string
  rules: readonly AlertCondition[]
  drafts: Drafts
  opened: OpenRule
  delivery: Delivery
}

/** The four cards and the delivery area, saved together, and the rules beyond the four cards. */
export function SettingsForm({ property, rules, drafts, opened, delivery }: SettingsFormProps) {
  const id = useId()
  const formId = `${id}-form`
  const { cards, saved, form, changed, save } = useConditionsDraft(property, rules, drafts)
  const [problems, setProblems] = useState<readonly string[]>([])
  const duplicate = useDuplicateRule(property, opened.open)
  const others = otherRules(rules)
  // As of when this one was opened: they don't change meanwhile.
  const [elsewhere] = useState(() => draftsElsewhere(drafts, property))

  const submit = form.handleSubmit(async (values) => {
    setProblems([])
    const wrong = await save(values)
    setProblems(wrong)
    const isDelivered = await delivery.save()
    if (wrong.length === 0 && isDelivered) toast.success('Settings Saved', propertyName(property))
  })

  return (
    <div className={settingsClass}>
      <form id={formId} noValidate aria-labelledby={id} onSubmit={submit}>
        <h2 id={id} className="text-base font-semibold">
          Alert conditions
        </h2>
        <p className="mt-1 mb-4 max-w-[70ch] text-muted">Each rule is checked whenever a new complete day of data comes in.</p>
        <div className={cardGridClass}>
          {cards.map((card) => (
            <ConditionCard
              key={card.type}
              property={property}
              card={card}
              form={form}
              saved={saved[card.type]}
              isChanged={changed.includes(card)}
              opened={opened}
              onDuplicate={duplicate}
            />
          ))}
        </div>
      </form>
      {others.length > 0 && <OtherRules property={property} rules={others} opened={opened} onDuplicate={duplicate} />}
      <HolidayCountry property={property} />
      {delivery.section}
      <SaveBar
        form={formId}
        isSaving={form.formState.isSubmitting}
        problems={problems}
        unsaved={[...changed.map(({ condition }) => condition.title), ...(delivery.isDirty ? [deliveryTitle] : [])]}
        elsewhere={elsewhere}
      />
    </div>
  )
}

/** The screen's parts, stacked; the focused element stays clear of the bar at the bottom. */
export const settingsClass = 'flex flex-col gap-8 **:[input,textarea,button]:scroll-mb-24'

/** Unsaved input for other properties. */
export const draftsElsewhere = (drafts: Drafts, property: string | null): string[] =>
  [...drafts].filter(([name]) => name !== property).map(([name, { titles }]) => `${titles.join(', ')} (${propertyName(name)})`)

/** The name of the delivery area in lists of unsaved changes. */
export const deliveryTitle = 'Delivery'

type SaveBarProps = {
  /** The id of the form its button submits. */
  form: string
  isSaving: boolean
  problems: readonly string[]
  /** Unsaved items; for other properties with their name. */
  unsaved: readonly string[]
  elsewhere: readonly string[]
}

/** Saves everything on the screen. Stays visible while there is something to save. */
export function SaveBar({ form, isSaving, problems, unsaved, elsewhere }: SaveBarProps) {
  return (
    <div
      className={clsx(
        '-mx-4 flex flex-col items-start gap-3 px-4 sm:-mx-6 sm:px-6',
        unsaved.length > 0 && 'sticky bottom-0 z-10 border-t border-line bg-page py-3',
      )}
    >
      {problems.length > 0 && (
        <FormProblem>
          {problems.map((problem) => (
            <span key={problem} className="block wrap-anywhere">
              {problem}
            </span>
          ))}
        </FormProblem>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" form={form} variant="primary" disabled={isSaving}>
          {isSaving ? 'Saving...' : 'Save Settings'}
        </Button>
        {unsaved.length > 0 && <p className="min-w-0 wrap-anywhere text-muted">Unsaved changes: {unsaved.join(', ')}</p>}
      </div>
      {elsewhere.length > 0 && (
        <p className="text-sm wrap-anywhere text-muted">Also unsaved (will be lost if you leave this page): {elsewhere.join(', ')}</p>
      )}
    </div>
  )
}

const guess = 'guess'

/** The country whose public holidays the property's visitors have; saved when it is chosen. */
function HolidayCountry({ property }: { property: string }) {
  const id = useId()
  const query = useQuery(holidayCountryQuery(property))
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-base font-semibold">
        Public holidays
      </h2>
      <p className="mt-1 mb-4 max-w-[70ch] text-muted">
        Drops on this country's public holidays don't count, and hourly data doesn't trigger alerts on those days. Automatic uses the
        country with the most clicks.
      </p>
      <Card>
        {query.data ? (
          <Choice property={property} holidays={query.data} />
        ) : query.error === null ? (
          <div aria-busy>
            <output className="sr-only">Loading public holidays</output>
            <Skeleton className="h-17 max-w-96" />
          </div>
        ) : (
          <p className="flex flex-wrap items-center gap-3 text-muted">
            The country could not be loaded: {failureText(query.error)}
            <Button onClick={() => void query.refetch()}>Try again</Button>
          </p>
        )}
      </Card>
    </section>
  )
}

function Choice({ property, holidays }: { property: string; holidays: Holidays }) {
  const client = useQueryClient()
  const saving = useMutation({
    mutationFn: (chosen: string) => saveHolidayCountry(property, chosen === guess ? null : chosen),
    onSuccess: (saved) => {
      client.setQueryData(holidayCountryQuery(property).queryKey, saved)
      // What a rule would have done depends on it.
      void client.invalidateQueries({ queryKey: [backtestPath, property] })
      toast.success('Settings Saved', `Public holidays · ${propertyName(property)}`)
    },
    onError: (error) => toast.error('Public Holidays Not Saved', failureText(error)),
  })
  const choices = useMemo(() => choicesOf(holidays), [holidays])
  return (
    <div className="max-w-96">
      <Select
        label="Country"
        placeholder=""
        value={(saving.isPending ? saving.variables : holidays.chosen) ?? guess}
        choices={choices}
        disabled={saving.isPending}
        onChange={(chosen) => saving.mutate(chosen)}
      />
    </div>
  )
}

function choicesOf({ guessed, countries }: Holidays) {
  const named = countries.map((country) => ({ value: country, label: countryName(country) }))
  return [
    { value: guess, label: guessText(guessed, countries) },
    ...named.toSorted((a, b) => a.label.localeCompare(b.label)),
    { value: noHolidays, label: 'Year-end holidays only (20 Dec–2 Jan)' },
  ]
}

function guessText(guessed: string | null, countries: readonly string[]): string {
  if (guessed === null) return 'Automatic (no clicks yet)'
  const unknown = countries.includes(guessed) ? '' : ' (no holiday data)'
  return `Automatic: ${countryName(guessed)}${unknown}`
}
