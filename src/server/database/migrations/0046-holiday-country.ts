import { ofSql } from './of-sql.ts'

/** The country whose public holidays a property has, as Google names it, or `none`; null is guessed from its clicks. */
export const holidayCountry = ofSql(`ALTER TABLE properties ADD COLUMN holiday_country text`)
