import { queryOptions } from '@tanstack/react-query'
import { type HolidayCountry, holidayCountryEndpoints as endpoints } from '../../contract/alerts/holiday-country.ts'
import { call } from './client.ts'

/** The country whose public holidays a property has. */
export function holidayCountryQuery(property: string) {
  return queryOptions({
    queryKey: [endpoints.read.path, property],
    queryFn: ({ signal }) => call(endpoints.read, { query: { property }, signal }),
  })
}

/** Null returns to the guess. */
export const saveHolidayCountry = (property: string, country: string | null): Promise<HolidayCountry> =>
  call(endpoints.save, { query: { property }, body: { country } })
