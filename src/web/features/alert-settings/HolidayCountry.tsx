import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import { type HolidayCountry as Holidays, noHolidays } from '../../../contract/alerts/holiday-country.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { countryName } from '../../../core/analytics/country-name.ts'
import { backtestPath, holidayCountryQuery, saveHolidayCountry } from '../../api/alert-conditions.ts'
import { failureText } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'

const guess = 'guess'

/** The country whose public holidays the property's visitors have; saved when it is chosen. */
export function HolidayCountry({ property }: { property: string }) {
  const id = useId()
  const query = useQuery(holidayCountryQuery(property))
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-base font-semibold">
        Public holidays
      </h2>
      <p className="mt-1 mb-4 max-w-[70ch] text-muted">
        Drops on this country’s public holidays don’t count, and hourly data doesn’t trigger alerts on those days. Automatic uses the
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
    { value: noHolidays, label: 'None (year-end holidays only: 20 Dec–2 Jan)' },
  ]
}

function guessText(guessed: string | null, countries: readonly string[]): string {
  if (guessed === null) return 'Automatic (no clicks yet)'
  const unknown = countries.includes(guessed) ? '' : ' (no holiday data)'
  return `Automatic: ${countryName(guessed)}${unknown}`
}
