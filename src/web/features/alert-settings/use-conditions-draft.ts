import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import { changeCondition, conditionsQuery, createCondition, showCondition } from '../../api/alert-conditions.ts'
import { failureText } from '../../api/client.ts'
import { changesOf, checkedFields, fieldsOf, refusedField, type RuleValues } from '../../widgets/rule-form/rule-values.ts'
import { changedCards, settingsForm, type SettingsValues, settingsOf } from './card-values.ts'
import { cardsOf, type RuleCard } from './condition-cards.ts'

/** Unsaved input in a property's cards, with the titles of those cards. */
export type Draft = { values: SettingsValues; titles: readonly string[] }
/** By property: input is still there on returning from another one. */
export type Drafts = Map<string, Draft>

/** A property's four cards: what is saved, and the input since. */
export function useConditionsDraft(property: string, rules: readonly AlertCondition[], drafts: Drafts) {
  const cards = cardsOf(rules)
  const saved = settingsOf(cards)
  const form = useForm<SettingsValues>({
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
  async function save(given: SettingsValues): Promise<string[]> {
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

type Saving = { card: RuleCard; before: RuleValues; after: RuleValues }

/** Creates a card's missing rule, or saves its changes. */
function useSaveCard(property: string) {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationFn: (saving: Saving) => createOrChange(property, saving),
    onSuccess: (saved) => {
      if (saved !== null) showCondition(client, property, saved)
    },
    // The rule may have been deleted elsewhere.
    onError: () => client.invalidateQueries(conditionsQuery(property)),
  })
  return mutateAsync
}

async function createOrChange(property: string, { card: { type, rule }, before, after }: Saving): Promise<AlertCondition | null> {
  if (rule === null) return createCondition(property, { type, ...fieldsOf(after) })
  // A rule that can't be read is repaired by saving all of it again.
  const change = rule.problem === null ? changesOf(before, after) : fieldsOf(after)
  return Object.keys(change).length === 0 ? null : changeCondition(rule.id, change)
}
