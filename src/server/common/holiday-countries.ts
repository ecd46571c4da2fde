import { sql } from 'kysely'
import { noHolidays } from '../../contract/alerts/holiday-country.ts'
import type { IsoDate } from '../../contract/common.ts'
import { addDays } from '../../core/analytics/days.ts'
import type { Db } from '../database/open.ts'
import { countryDays, topCountries } from '../facts/questions/top-countries.ts'
import type { FactsStore } from '../facts/store.ts'

/** The countries whose public holidays properties have: chosen by their owners, else those with the most clicks. */
export function createHolidayCountries(db: Db, facts: FactsStore) {
  const guessed = (ids: readonly number[], through: IsoDate): Promise<Map<number, string>> =>
    facts.ask(topCountries, ids, { start: addDays(through, 1 - countryDays), end: through })

  const chosenFor = async (ids: readonly number[]): Promise<Map<number, string | null>> => {
    const rows = await db
      .selectFrom('properties')
      .where(sql<boolean>`id = any(${[...ids]})`)
      .where('holidayCountry', 'is not', null)
      .select(['id', 'holidayCountry'])
      .execute()
    return new Map(rows.map(({ id, holidayCountry }) => [id, holidayCountry === noHolidays ? null : holidayCountry]))
  }

  return {
    /** By property; absent without any. */
    async of(ids: readonly number[], through: IsoDate): Promise<Map<number, string>> {
      const own = await chosenFor(ids)
      const others = ids.filter((id) => !own.has(id))
      const countries = others.length === 0 ? new Map<number, string>() : new Map(await guessed(others, through))
      for (const [id, country] of own) if (country !== null) countries.set(id, country)
      return countries
    },

    /** Of one property, whose guess may have been cached. */
    async ofOne(id: number, guess: () => Promise<string | null>): Promise<string | null> {
      const own = await chosenFor([id])
      return own.has(id) ? (own.get(id) ?? null) : guess()
    },

    /** Whatever was chosen. */
    guess: async (id: number, through: IsoDate): Promise<string | null> => (await guessed([id], through)).get(id) ?? null,
  }
}
export type HolidayCountries = ReturnType<typeof createHolidayCountries>
