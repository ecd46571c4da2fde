import { z } from 'zod'
import { propertyQuery } from '../common.ts'
import { signedIn } from '../endpoint.ts'

/** Instead of a country, for properties whose visitors have no public holidays in common. */
export const noHolidays = 'none'

/**
 * The country whose public holidays a property's visitors have, by Google's code: the one its owner chose, `none`, or null for the guess,
 * which is the country with the most clicks.
 */
export const holidayCountry = z.object({
  chosen: z.string().nullable(),
  guessed: z.string().nullable(),
  /** Those whose holidays are known. */
  countries: z.array(z.string()),
})
export type HolidayCountry = z.infer<typeof holidayCountry>

const newHolidayCountry = z.object({ country: z.string().max(10).nullable() })

/** Null if no property is selected. */
export const holidayCountryEndpoints = {
  read: signedIn.get('/api/holiday-country', { query: propertyQuery, answer: holidayCountry.nullable() }),
  save: signedIn.put('/api/holiday-country', { query: propertyQuery, body: newHolidayCountry, answer: holidayCountry }),
}
