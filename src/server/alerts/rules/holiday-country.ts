import { sql } from 'kysely'
import { type HolidayCountry, noHolidays } from '../../../contract/alerts/holiday-country.ts'
import { holidayCountries } from '../../../core/detection/holidays.ts'
import type { ReportProperty } from '../../accounts/service.ts'
import { notYourProperty, Refusal } from '../../common/errors.ts'
import type { HolidayCountries } from '../../common/holiday-countries.ts'
import type { Db } from '../../database/open.ts'
import type { Clock } from '../../platform/clock.ts'

/** The country whose public holidays a property has, as its owner sees and chooses it. */
export function createHolidayCountryOf(db: Db, countries: HolidayCountries, clock: Clock) {
  async function read({ id, completeThrough }: ReportProperty): Promise<HolidayCountry> {
    const [row, guessed] = await Promise.all([
      db.selectFrom('properties').where('id', '=', id).select('holidayCountry').executeTakeFirst(),
      completeThrough === null ? null : countries.guess(id, completeThrough),
    ])
    return { chosen: row?.holidayCountry ?? null, guessed, countries: [...holidayCountries] }
  }

  return {
    read,

    /**
     * Null returns to the guess. The property's days are evaluated again: alerts that the new holidays explain end silently, and what the old ones hid is
     * found.
     * @throws Refusal 400 for a country whose holidays aren't known, 404 if the property is no longer this person's
     */
    async save(userId: string, property: ReportProperty, country: string | null): Promise<HolidayCountry> {
      if (country !== null && country !== noHolidays && !holidayCountries.includes(country))
        throw new Refusal(400, 'Choose a country from the list.', 'country')
      await db.transaction().execute(async (trx) => {
        const saved = await trx
          .updateTable('properties')
          .set({ holidayCountry: country })
          .where('id', '=', property.id)
          .where('userId', '=', userId)
          .returning('id')
          .executeTakeFirst()
        if (!saved) throw notYourProperty(property.name)
        // An evaluation that began with the earlier country stores nothing.
        await trx
          .updateTable('alertWatches')
          .set({ judgedVersion: null, rulesChanged: sql`rules_changed + 1`, hoursTold: sql`hours_told + 1` })
          .where('propertyId', '=', property.id)
          .execute()
        // What ends now does so because the owner changed what its rule allows for: nobody is told that Google revised its data.
        await trx
          .updateTable('alertConditions')
          .set({ changedAt: clock.now() })
          .where('propertyId', '=', property.id)
          .where('kind', '=', 'unusual')
          .execute()
      })
      return read(property)
    },
  }
}
