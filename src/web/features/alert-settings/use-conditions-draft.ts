import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import { failureText } from '../../api/client.ts'
import { changesOf, checkedFields, refusedField } from '../../widgets/rule-form/rule-values.ts'
import { changedCards, settingsForm, type SettingsForm, settingsOf } from './card-values.ts'
import { cardsOf } from './condition-cards.ts'
import { useSaveCard } from './use-save-card.ts'

/** Unsaved input in a property's cards, with the titles of those cards. */
export type Draft = { values: SettingsForm; titles: readonly string[] }
/** By property: input is still there on returning from another one. */
export type Drafts = Map<string, Draft>

/** A property's four cards: what is saved, and the input since. */
export function useConditionsDraft(property: string, rules: readonly AlertCondition[], drafts: Drafts) {
  const cards = cardsOf(rules)
  const saved = settingsOf(cards)
  const form = useForm<SettingsForm>({
    resolver: zodResolver(settingsForm),
    defaultValues: drafts.get(property)?.values ?? saved,
  })
  const [clicks, ctr, impressions, position] = useWatch({ control: form.control, name: ['clicks', 'ctr', 'impressions', 'position'] })
  const values = { clicks, ctr, impressions, position }
  const changed = changedCards(cards, saved, values)
  const saveCard = useSaveCard(property)

  const shown = useRef(saved)
  useEffect(() => {
    for (const { type } of cards) {
      const before = shown.current[type]
      const isUntouched = Object.keys(changesOf(before, form.getValues(type))).length === 0
      // Changes saved elsewhere show here too, unless somebody is editing it here.
      if (isUntouched && Object.keys(changesOf(before, saved[type])).length > 0) form.setValue(type, saved[type])
    }
    shown.current = saved
    if (changed.length > 0) drafts.set(property, { values, titles: changed.map(({ condition }) => condition.title) })
    else drafts.delete(property)
  })

  /** Saves each card separately, so that a refused one doesn't block the others. Returns the problems, by card. */
  async function save(given: SettingsForm): Promise<string[]> {
    const problems: string[] = []
    for (const card of cards) {
      try {
        await saveCard({ card, before: saved[card.type], after: given[card.type] })
      } catch (error) {
        const message = failureText(error, 'It could not be saved. Please try again.')
        const field = refusedField(error, checkedFields)
        if (field) form.setError(`${card.type}.${field}`, { message }, { shouldFocus: problems.length === 0 })
        problems.push(`${card.condition.title}: ${message}`)
      }
    }
    return problems
  }

  return { cards, saved, form, changed, save }
}
