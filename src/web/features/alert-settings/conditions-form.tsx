import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { AlertCondition } from '../../../contract/alert-conditions.ts'
import { ApiFailure, failureText } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { toast } from '../../ui/toast.ts'
import { checkedFields, formOf, settingsForm, type SettingsForm } from './card-values.ts'
import { cardsOf, type RuleCard } from './condition-cards.ts'
import { cardGridClass, ConditionCard } from './ConditionCard.tsx'
import { useSaveCard } from './use-save-card.ts'

type ConditionsFormProps = { property: string; rules: readonly AlertCondition[] }

/** The four cards, saved together. */
export function ConditionsForm({ property, rules }: ConditionsFormProps) {
  const id = useId()
  const cards = cardsOf(rules)
  const [saved, setSaved] = useState(() => formOf(cards))
  const form = useForm<SettingsForm>({ resolver: zodResolver(settingsForm), defaultValues: saved })
  const [problem, setProblem] = useState<string | null>(null)
  const saveCard = useSaveCard(property)

  async function save(values: SettingsForm): Promise<void> {
    setProblem(null)
    for (const card of cards) {
      try {
        await saveCard({ card, before: saved[card.type], after: values[card.type] })
      } catch (error) {
        tell(card, error)
        return
      }
    }
    setSaved(values)
    toast.success('Settings Saved', property)
  }

  /** At the field that was refused, or else above the button. */
  function tell({ type, condition: { title } }: RuleCard, error: unknown): void {
    const name = error instanceof ApiFailure ? error.problem?.field?.split('.')[0] : undefined
    const field = checkedFields.find((known) => known === name)
    const message = failureText(error, 'The settings could not be saved. Please try again.')
    if (field) form.setError(`${type}.${field}`, { message }, { shouldFocus: true })
    else setProblem(`${title}: ${message}`)
  }

  const { isSubmitting } = form.formState
  return (
    <form noValidate aria-labelledby={id} onSubmit={form.handleSubmit(save)}>
      <h2 id={id} className="text-base font-semibold">
        Alert conditions
      </h2>
      <p className="mt-1 mb-4 max-w-[70ch] text-muted">Each rule is checked whenever new complete days have arrived.</p>
      <div className={cardGridClass}>
        {cards.map((card) => (
          <ConditionCard key={card.type} card={card} form={form} saved={saved[card.type]} />
        ))}
      </div>
      <div className="mt-5 flex flex-col items-start gap-4">
        {problem !== null && <FormProblem>{problem}</FormProblem>}
        <Button type="submit" variant="primary" disabled={isSubmitting}>
          {isSubmitting ? 'Saving...' : 'Save Settings'}
        </Button>
      </div>
    </form>
  )
}
