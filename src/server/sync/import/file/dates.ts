import type { IsoDate } from '../../../../contract/common.ts'
import { fold, remember } from '../bulk/fold.ts'
import { monthNames } from './month-names.ts'
import { normalized } from './numbers.ts'

/** Whether day or month comes first in files that write 01/07/2026. */
export type DateOrder = 'day first' | 'month first'

/** The content of a cell: a day, a longer or shorter span, or no date at all. */
export type DateReading =
  | { kind: 'day'; date: IsoDate }
  /** One of two days; only the rest of the file can tell. */
  | { kind: 'ambiguous' }
  | { kind: 'hour' | 'week' | 'month' | 'span' }
  /** Looks like a date, but there is no such day. */
  | { kind: 'impossible' }
  | { kind: 'none' }

/** Longer than any date in words, with its weekday. */
const longest = 100
/** More than any has, with its time and the time zone in words. */
const mostWords = 12

const none: DateReading = { kind: 'none' }
const iso = /^(\d{4})-(\d{2})-(\d{2})$/
const yearFirst = /^(\d{4}) ?[-/.年년] ?(\d{1,2}) ?[-/.月월] ?(\d{1,2}) ?[.日일]?$/
const compact = /^(\d{4})(\d{2})(\d{2})$/
const dotted = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})\.?$/
const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/
const timed = /^(\d{4}-\d{2}-\d{2})(?:T| )(\d{1,2}):?(\d{2})?(?::?(\d{2})(?:\.\d+)?)? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/i

/** Reads dates as spreadsheets, programs and people write them. `order` decides 01/07/2026. */
export function readDate(cell: string, order?: DateOrder): DateReading {
  const isoMatch = iso.exec(cell)
  if (isoMatch) return day(isoMatch[1], isoMatch[2], isoMatch[3])
  const text = normalized(cell)
  if (text.length > longest) return none
  const first = yearFirst.exec(text) ?? compact.exec(text)
  if (first) return day(first[1], first[2], first[3])
  const dots = dotted.exec(text)
  if (dots) return day(dots[3], dots[2], dots[1])
  const slashes = slashed.exec(text)
  if (slashes) return undecided(slashes, order)
  const time = timed.exec(text)
  if (time) return midnight(time) ? readDate(time[1] as string) : { kind: 'hour' }
  if (/^\d{4}-?W\d{1,2}$/i.test(text)) return { kind: 'week' }
  if (/^\d{4}[-/.]\d{1,2}$|^\d{1,2}[-/.]\d{4}$|^\d{4}[年년] ?\d{1,2}[月월]$/.test(text)) return { kind: 'month' }
  if (/^\d{1,2}(?::\d{2})? ?(?:[ap]\.?m\.?)?$/i.test(text) && /:|m/i.test(text)) return { kind: 'hour' }
  return inWords(text)
}

/** A day without a time; an offset means hours on somebody's clock. */
const midnight = (match: RegExpExecArray): boolean =>
  Number(match[2]) === 0 &&
  Number(match[3] ?? 0) === 0 &&
  Number(match[4] ?? 0) === 0 &&
  (match[5] === undefined || /^(?:Z|UTC)$/i.test(match[5]))

function day(year: string | number | undefined, month: string | number | undefined, date: string | number | undefined): DateReading {
  const [y, m, d] = [Number(year), Number(month), Number(date)]
  const leap = (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0
  const length = m === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(m) ? 30 : 31
  if (m < 1 || m > 12 || d < 1 || d > length) return { kind: 'impossible' }
  return { kind: 'day', date: `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}` }
}

function undecided(match: RegExpExecArray, order: DateOrder | undefined): DateReading {
  const [a, b] = [Number(match[1]), Number(match[2])]
  if (order === 'day first' || (order === undefined && a > 12)) return day(match[3], b, a)
  if (order === 'month first' || b > 12 || a === b) return day(match[3], a, b)
  return { kind: 'ambiguous' }
}

/** "1 juil. 2026", "Jul 1, 2026", "1. Juli 2026", "1 de julio de 2026"; also "July 2026" and "1–7 Jul 2026". */
function inWords(text: string): DateReading {
  if ((text.match(/\d{4}/g) ?? []).length > 1) return { kind: 'span' }
  const parts = text.split(/[\s,./-]+/).filter((part) => part !== '')
  if (parts.length > mostWords) return none
  const numbers = parts.flatMap((part) => /^(\d+)(?:st|nd|rd|th|er|º|ª|\.)?$/.exec(part)?.[1] ?? [])
  const months = parts.flatMap((part) => monthOf(part) ?? [])
  const years = numbers.filter((part) => part.length === 4)
  const days = numbers.filter((part) => part.length <= 2)
  if (months.length === 0 || years.length !== 1) return none
  if (months.length > 1 || days.length > 1) return { kind: 'span' }
  return days.length === 0 ? { kind: 'month' } : day(years[0], months[0], days[0])
}

const monthOf = remember((word: string) => monthNames().get(fold(word)))

/** The order that this cell proves, if any: in 25/07/2026 the day comes first. */
export function provenOrder(cell: string): DateOrder | undefined {
  const match = slashed.exec(normalized(cell))
  if (!match) return undefined
  const [a, b] = [Number(match[1]), Number(match[2])]
  if (a > 12 && b <= 12) return 'day first'
  return b > 12 && a <= 12 ? 'month first' : undefined
}

/** Detects days spaced as if each stood for a week or a month. A few scattered days prove nothing: `least` is the number it takes. */
export function granularity(days: Iterable<IsoDate>, least: number): 'week' | 'month' | undefined {
  const sorted = [...days].sort()
  if (sorted.length < least) return undefined
  if (sorted.every((date) => date.endsWith('-01'))) return 'month'
  const numbers = sorted.map((date) => Date.parse(date) / 86_400_000)
  const gaps = numbers.slice(1).map((number, index) => number - (numbers[index] as number))
  if (gaps.every((gap) => gap === 7)) return 'week'
  // The first and last week of a range may be cut short.
  const whole = gaps.slice(1, -1)
  return whole.length > 1 && whole.every((gap) => gap === 7) && gaps.every((gap) => gap > 1 && gap <= 7) ? 'week' : undefined
}
