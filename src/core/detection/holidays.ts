import { dayNumber } from '../analytics/days.ts'
import type { IsoDate } from '../../contract/common.ts'
import type { IsHoliday } from './series.ts'

/**
 * Public holidays on which visitors behave differently, by country as Search Console names it (ISO 3166-1 alpha-3, lower case).
 * `12-25` is a date; `E+1` the day after Easter Sunday, `O+1` after that of the Orthodox churches; `11/4/4` the fourth Thursday of
 * November, `5/-1/1` the last Monday of May, `06-19/5` the first Friday from June 19 on; the rest are feasts of lunar
 * calendars.
 */
const midsummer = '06-19/5 06-20/6'
const western = '01-01 E-2 E E+1 05-01 12-24 12-25 12-26 12-31'
const byCountry: Readonly<Record<string, string>> = {
  are: '01-01 12-02 12-03 fitr adha',
  arg: '01-01 03-24 E-3 E-2 05-01 05-25 07-09 12-08 12-24 12-25',
  aus: '01-01 01-26 E-2 E-1 E E+1 04-25 6/2/1 12-24 12-25 12-26',
  aut: `${western} 01-06 E+39 E+50 E+60 08-15 10-26 11-01 12-08`,
  bel: `${western} E+39 E+50 07-21 08-15 11-01 11-11`,
  bgr: '01-01 03-03 O-2 O O+1 05-01 05-06 05-24 09-06 09-22 12-24 12-25 12-26',
  bra: '01-01 E-48 E-47 E-2 04-21 05-01 E+60 09-07 10-12 11-02 11-15 12-24 12-25',
  can: '01-01 E-2 E E+1 5/-2/1 07-01 9/1/1 10/2/1 11-11 12-24 12-25 12-26',
  che: `${western} 01-02 E+39 E+50 08-01`,
  chl: '01-01 E-2 E-1 05-01 05-21 07-16 08-15 09-18 09-19 11-01 12-08 12-25',
  chn: '01-01 lunar 05-01 05-02 05-03 moon 10-01 10-02 10-03 10-04 10-05 10-06 10-07',
  col: '01-01 E-3 E-2 05-01 07-20 08-07 12-08 12-24 12-25',
  cze: `${western} 05-08 07-05 07-06 09-28 10-28 11-17`,
  deu: `${western} E+39 E+50 10-03`,
  dnk: `${western} E-3 E+39 E+50 06-05`,
  egy: '01-07 01-25 04-25 O+1 07-23 fitr adha',
  esp: `${western} 01-06 E-3 08-15 10-12 11-01 12-06 12-08`,
  est: '01-01 02-24 E-2 E 05-01 E+49 06-23 06-24 08-20 12-24 12-25 12-26',
  fin: `${western} 01-06 E+39 ${midsummer} 12-06`,
  fra: '01-01 E E+1 05-01 05-08 E+39 E+50 07-14 08-15 11-01 11-11 12-24 12-25 12-31',
  gbr: '01-01 E-2 E E+1 5/1/1 5/-1/1 8/-1/1 12-24 12-25 12-26 12-31',
  grc: '01-01 01-06 O-48 03-25 O-2 O O+1 05-01 O+50 08-15 10-28 12-24 12-25 12-26',
  hkg: '01-01 lunar E-2 E-1 E+1 05-01 07-01 moon 10-01 12-25 12-26',
  hrv: '01-01 01-06 E E+1 05-01 05-30 E+60 06-22 08-05 08-15 11-01 11-18 12-24 12-25 12-26',
  hun: `${western} 03-15 E+50 08-20 10-23 11-01`,
  idn: '01-01 lunar fitr adha 05-01 06-01 08-17 12-25',
  ind: '01-26 08-15 10-02 diwali 12-25',
  irl: '01-01 02-01 03-17 E-2 E E+1 5/1/1 6/1/1 8/1/1 10/-1/1 12-24 12-25 12-26',
  isl: `${western} E-3 04-19/4 E+39 E+49 E+50 06-17 8/1/1`,
  ita: '01-01 01-06 E E+1 04-25 05-01 06-02 08-14 08-15 08-16 11-01 12-08 12-24 12-25 12-26 12-31',
  jpn: '01-01 01-02 01-03 02-11 04-29 05-03 05-04 05-05 08-11 08-13 08-14 08-15 11-03 11-23 12-31',
  kor: '01-01 lunar 03-01 05-05 06-06 08-15 moon 10-03 10-09 12-25',
  ltu: '01-01 02-16 03-11 E E+1 05-01 06-24 07-06 08-15 11-01 11-02 12-24 12-25 12-26',
  lux: '01-01 E+1 05-01 05-09 E+39 E+50 06-23 08-15 11-01 12-24 12-25 12-26',
  lva: `${western} 05-04 06-23 06-24 11-18`,
  mex: '01-01 2/1/1 3/3/1 E-3 E-2 05-01 09-16 11-02 11/3/1 12-12 12-24 12-25',
  mys: '01-01 lunar fitr adha 05-01 08-31 09-16 diwali 12-25',
  nga: '01-01 E-2 E+1 05-01 06-12 fitr adha 10-01 12-25 12-26',
  nld: '01-01 E E+1 04-27 05-05 E+39 E+50 12-25 12-26 12-31',
  nor: `${western} E-3 05-17 E+39 E+50`,
  nzl: '01-01 01-02 02-06 E-2 E E+1 04-25 6/1/1 10/4/1 12-24 12-25 12-26',
  pak: '02-05 03-23 05-01 08-14 fitr adha 12-25',
  per: '01-01 E-3 E-2 05-01 06-29 07-28 07-29 08-30 10-08 11-01 12-08 12-24 12-25',
  phl: '01-01 E-3 E-2 04-09 05-01 06-12 8/-1/1 11-01 11-30 12-24 12-25 12-30 12-31',
  pol: `${western} 01-06 05-03 E+60 08-15 11-01 11-11`,
  prt: '01-01 E-2 E 04-25 05-01 06-10 E+60 08-15 10-05 11-01 12-01 12-08 12-24 12-25',
  rou: '01-01 01-02 01-24 O-2 O O+1 05-01 06-01 O+50 08-15 11-30 12-01 12-24 12-25 12-26',
  rus: '01-01 01-02 01-03 01-04 01-05 01-06 01-07 01-08 02-23 03-08 05-01 05-09 06-12 11-04 12-31',
  sau: 'fitr adha 09-23 02-22',
  sgp: '01-01 lunar E-2 fitr adha 05-01 08-09 diwali 12-25',
  srb: '01-01 01-02 01-07 02-15 02-16 O-2 O O+1 05-01 05-02 11-11',
  svk: `${western} 01-06 05-08 07-05 08-29 09-15 11-01 11-17`,
  svn: `${western} 01-02 02-08 04-27 05-02 06-25 08-15 10-31 11-01`,
  swe: `${western} 01-06 E+39 06-06 ${midsummer}`,
  tha: '01-01 04-13 04-14 04-15 05-01 12-05 12-31',
  tur: '01-01 fitr adha 04-23 05-01 05-19 07-15 08-30 10-29',
  twn: '01-01 lunar 02-28 04-04 05-01 moon 10-10',
  ukr: '01-01 01-07 03-08 O O+1 05-01 08-24 12-24 12-25',
  usa: '01-01 1/3/1 2/3/1 E 5/-1/1 07-04 07-05 9/1/1 11/4/4 11/4/4+1 11/4/4+2 12-24 12-25 12-26 12-31',
  vnm: '01-01 lunar 04-30 05-01 09-02',
  zaf: '01-01 03-21 E-2 E E+1 04-27 05-01 06-16 08-09 09-24 12-16 12-24 12-25 12-26',
}

/** How many days a lunar feast lasts, including its first. */
const lasts: Record<string, number> = { fitr: 4, adha: 4, lunar: 8, moon: 3, diwali: 3 }

/**
 * Returns whether a property's visitors behave differently on a day: around New Year everywhere, and on the country's holidays.
 * @param country Search Console's code; with null or a country that isn't in the table, only New Year counts
 */
export function holidaysOf(country: string | null): IsHoliday {
  // Countries come with people's files and from Google: a name that every object has must not be taken for one.
  const rules = country !== null && Object.hasOwn(byCountry, country) ? (byCountry[country]?.split(' ') ?? []) : []
  const known = (country === null ? undefined : knownYears.get(country)) ?? new Map<number, ReadonlySet<number>>()
  if (country !== null && rules.length > 0) knownYears.set(country, known)
  return (day) => {
    const date = new Date(day * dayMs)
    if (isTurnOfTheYear(date)) return true
    const year = date.getUTCFullYear()
    let days = known.get(year)
    if (!days) {
      days = new Set(rules.flatMap((rule) => daysOf(rule, year)))
      known.set(year, days)
    }
    return days.has(day)
  }
}

/** The countries whose holidays are known, as Google names them. */
export const holidayCountries: readonly string[] = Object.keys(byCountry).toSorted()

/** The computed holidays by country and year: lunar calendars take milliseconds per year, and there are many properties. */
const knownYears = new Map<string, Map<number, ReadonlySet<number>>>()

const dayMs = 86_400_000

/** December 20 to January 2: fewer people work, and people search for other things. */
const isTurnOfTheYear = (date: Date): boolean => {
  const [month, day] = [date.getUTCMonth(), date.getUTCDate()]
  return (month === 11 && day >= 20) || (month === 0 && day <= 2)
}

/** The days of one rule in a year, as numbers (analytics/days.ts). */
function daysOf(rule: string, year: number): number[] {
  const feast = lasts[rule]
  if (feast !== undefined) return feastsIn(rule, year).flatMap((first) => Array.from({ length: feast }, (_, i) => first + i))
  const easter = /^([EO])([+-]\d+)?$/.exec(rule)
  if (easter) return [(easter[1] === 'E' ? easterOf(year) : orthodoxEasterOf(year)) + Number(easter[2] ?? 0)]
  const nth = /^(\d+)\/(-?\d+)\/(\d)(?:\+(\d+))?$/.exec(rule)
  const from = /^(\d\d-\d\d)\/(\d)$/.exec(rule)
  if (from) return [weekdayFrom(dayNumber(`${year}-${from[1]}` as IsoDate), Number(from[2]))]
  if (nth) return [nthWeekday(year, Number(nth[1]), Number(nth[2]), Number(nth[3])) + Number(nth[4] ?? 0)]
  return [dayNumber(`${year}-${rule}` as IsoDate)]
}

const numberOf = (year: number, month: number, day: number): number => Math.round(Date.UTC(year, month - 1, day) / dayMs)

/** @param n counts from the start of the month or, below zero, from its end; `weekday` 0 is Sunday */
function nthWeekday(year: number, month: number, n: number, weekday: number): number {
  const from = n > 0 ? numberOf(year, month, 1) : numberOf(year, month + 1, 0)
  return n > 0 ? weekdayFrom(from, weekday) + 7 * (n - 1) : weekdayFrom(from - 6, weekday) + 7 * (n + 1)
}

/** The first such weekday on or after a day; 0 is Sunday. January 1, 1970 was a Thursday. */
const weekdayFrom = (day: number, weekday: number): number => day + ((((weekday - day - 4) % 7) + 7) % 7)

/** Easter Sunday (the anonymous Gregorian algorithm of 1876). */
function easterOf(year: number): number {
  const a = year % 19
  const [b, c] = [Math.floor(year / 100), year % 100]
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const sum = h + l - 7 * m + 114
  return numberOf(year, Math.floor(sum / 31), (sum % 31) + 1)
}

/** Easter Sunday by the Julian calendar (Meeus), which is 13 days behind until 2099. */
function orthodoxEasterOf(year: number): number {
  const d = (19 * (year % 19) + 15) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
  const sum = d + e + 114
  return numberOf(year, Math.floor(sum / 31), (sum % 31) + 1) + 13
}

/** First days of Diwali, whose calendar the platform doesn't compute. */
const diwali = [
  '2023-11-12',
  '2024-10-31',
  '2025-10-20',
  '2026-11-08',
  '2027-10-29',
  '2028-10-17',
  '2029-11-05',
  '2030-10-26',
  '2031-11-14',
]

const calendars: Record<string, { calendar: string; month: number; day: number }> = {
  fitr: { calendar: 'islamic-umalqura', month: 10, day: 1 },
  adha: { calendar: 'islamic-umalqura', month: 12, day: 10 },
  lunar: { calendar: 'chinese', month: 1, day: 1 },
  moon: { calendar: 'chinese', month: 8, day: 15 },
}

/** First days of a feast in a year; in the Islamic calendar there may be two, or one that began the year before. */
function feastsIn(feast: string, year: number): number[] {
  const asked = calendars[feast]
  if (!asked) return diwali.filter((date) => date.startsWith(`${year}-`)).map((date) => dayNumber(date as IsoDate))
  const parts = new Intl.DateTimeFormat(`en-u-ca-${asked.calendar}`, { month: 'numeric', day: 'numeric', timeZone: 'UTC' })
  const found: number[] = []
  for (let day = numberOf(year, 1, 1); day <= numberOf(year, 12, 31);) {
    const [month, dayOfMonth] = parts.formatToParts(day * dayMs).flatMap(({ type, value }) => (type === 'literal' ? [] : [value]))
    if (month === String(asked.month) && dayOfMonth === String(asked.day)) found.push(day)
    // Up to that day of this month, or near its end: no month has fewer than 29 days.
    const left = asked.day - Number(dayOfMonth)
    day += left > 0 ? left : Math.max(1, 29 - Number(dayOfMonth))
  }
  return found
}
