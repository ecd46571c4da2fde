import { expect, test } from 'vitest'
import { addDays, dayNumber, eachDay } from '../analytics/days.ts'
import { holidaysOf } from './holidays.ts'

const isHoliday = (country: string | null, date: string) => holidaysOf(country)(dayNumber(date))

test.each([
  ['usa', '2025-11-27', 'Thanksgiving, the fourth Thursday of November'],
  ['usa', '2025-11-28', 'the day after it'],
  ['usa', '2026-05-25', 'the last Monday of May'],
  ['deu', '2026-04-03', 'Good Friday'],
  ['deu', '2026-05-14', 'Ascension'],
  ['deu', '2027-05-17', 'Whit Monday'],
  ['grc', '2026-04-12', 'Easter of the Orthodox churches'],
  ['gbr', '2026-08-31', 'the last Monday of August'],
  ['can', '2026-05-18', 'Victoria Day'],
  ['est', '2026-08-20', 'the restoration of independence'],
  ['hrv', '2026-06-04', 'Corpus Christi'],
  ['isl', '2026-04-23', 'the first day of summer, a Thursday from April 19 on'],
  ['isl', '2026-08-03', 'Commerce Day, the first Monday of August'],
  ['ltu', '2026-07-06', 'the coronation of King Mindaugas'],
  ['lux', '2026-05-25', 'Whit Monday'],
  ['lva', '2026-06-23', 'Līgo Day'],
  ['srb', '2026-04-10', 'Good Friday of the Orthodox churches'],
  ['chn', '2026-02-17', 'the Lunar New Year'],
  ['chn', '2025-10-06', 'the Moon Festival'],
  ['tur', '2026-03-20', 'the end of Ramadan'],
  ['sau', '2025-06-06', 'the Feast of Sacrifice'],
  ['ind', '2026-11-08', 'Diwali'],
])('in %s %s is a holiday: %s', (country, date) => {
  expect(isHoliday(country, date)).toBe(true)
})

test.each(['fin', 'swe'])(
  'in %s midsummer is the Friday from June 19 to 25 and the Saturday after it, and no other day around it',
  (country) => {
    const eves = ['23-06-23', '24-06-21', '25-06-20', '26-06-19', '27-06-25', '28-06-23', '29-06-22', '30-06-21', '31-06-20', '32-06-25']
    for (const eve of eves.map((day) => `20${day}`)) {
      const around = eachDay(`${eve.slice(0, 4)}-06-10`, `${eve.slice(0, 4)}-06-30`)
      expect(around.filter((date) => isHoliday(country, date))).toEqual([eve, addDays(eve, 1)])
    }
  },
)

test("ordinary days aren't holidays, nor are those of other countries", () => {
  expect(['2026-03-10', '2026-06-15', '2025-11-27'].map((date) => isHoliday('deu', date))).toEqual([false, false, false])
  const year = eachDay('2026-01-01', '2026-12-31')
  for (const country of ['usa', 'deu', 'chn', 'ind']) expect(year.filter((date) => isHoliday(country, date)).length).toBeLessThan(45)
})

test('without a country, or with an unknown one, New Year is known', () => {
  for (const country of [null, 'xyz']) {
    expect(['2025-12-19', '2025-12-20', '2026-01-02', '2026-01-03'].map((date) => isHoliday(country, date))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(isHoliday(country, addDays('2026-11-25', 1))).toBe(false)
  }
})

// No calendar is ever read: a file or Google can at most name a country, and its holidays come from the table.
test.each([
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  '',
  'USA',
  'E+1',
  'moon',
  '01-01 moon',
  'BEGIN:VCALENDAR',
  'x'.repeat(100_000),
])('a country called %j has no holidays', (country) => {
  const year = eachDay('2026-01-01', '2026-12-31')
  expect(year.filter((date) => isHoliday(country, date))).toEqual(year.filter((date) => isHoliday(null, date)))
})

test("lunar calendars take no time, however old a file's days claim to be", { tags: ['full'] }, () => {
  const begun = performance.now()
  for (const country of ['chn', 'idn', 'ind', 'sau', 'tur', 'vnm'])
    for (let year = 2000; year <= 2100; year++) for (let look = 0; look < 100; look++) isHoliday(country, `${year}-06-15`)
  expect(performance.now() - begun).toBeLessThan(10_000)
})
