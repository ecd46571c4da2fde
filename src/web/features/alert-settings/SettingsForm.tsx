import { clsx } from 'clsx'
import { useId, useState, type ReactNode } from 'react'
import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { Button } from '../../ui/Button.tsx'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { otherRules } from './condition-cards.ts'
import { cardGridClass, ConditionCard } from './ConditionCard.tsx'
import { HolidayCountry } from './HolidayCountry.tsx'
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
