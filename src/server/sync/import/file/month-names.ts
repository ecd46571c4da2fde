import { fold } from '../bulk/fold.ts'

/** Search Console UI languages whose dates spell out the month. */
const languages =
  'en de fr es it pt nl sv da nb fi pl cs sk hu ro bg hr sr sl et lv lt el tr ru uk id ms vi th ca eu gl he ar fa hi bn ta te fil is sw'.split(
    ' ',
  )

let names: Map<string, number> | undefined

/**
 * Month names, long and short, standalone and within dates, mapped to 1..12. Words that mean different months in two languages (Croatian
 * and Polish "listopad") are left out.
 */
export function monthNames(): ReadonlyMap<string, number> {
  if (names) return names
  const found = new Map<string, number>()
  for (const language of languages) {
    for (const month of ['long', 'short'] as const) {
      const alone = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC', calendar: 'gregory' })
      const dated = new Intl.DateTimeFormat(language, { day: 'numeric', month, year: 'numeric', timeZone: 'UTC', calendar: 'gregory' })
      for (let index = 0; index < 12; index++) {
        const day = new Date(Date.UTC(2025, index, 15))
        const inDate = dated.formatToParts(day).find((part) => part.type === 'month')?.value ?? ''
        for (const word of [alone.format(day), inDate]) add(found, fold(word), index + 1)
      }
    }
  }
  // People write it more often than Intl does.
  add(found, 'sept', 9)
  for (const [word, month] of found) if (month === 0) found.delete(word)
  return (names = found)
}

function add(found: Map<string, number>, word: string, month: number): void {
  if (word.length < 2 || /\d/.test(word)) return
  const known = found.get(word)
  if (known === undefined) found.set(word, month)
  else if (known !== month) found.set(word, 0)
}
