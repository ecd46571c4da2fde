import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectText, expectVisible } from './browser-expect.ts'
import type { Control } from './google-control.ts'

type Totals = { clicks: number; impressions: number; ctr: number; position: number }
type Day = Totals & { date: string }
type Metric = 'Clicks' | 'Impressions' | 'CTR' | 'Position'

/** What the four cards must show, computed from totals that don't come from our server. */
export type Cards = {
  /** First and last day of the displayed 7 days, and of the 7 before. */
  periods: string
  current: string
  figures: Record<Metric, { value: string; previous: string; change: string; color: 'red' | 'green' | 'gray' }>
  /** The days of the sparklines, oldest first, as formatted by the cards. */
  days: { date: string; figures: Record<Metric, string> }[]
}

/** A property's cards by the stand-in's own figures: the last 7 final days compared with the 7 before them. */
export async function cardsAtGoogle(google: Control, site: string, through: string): Promise<Cards> {
  const total = async (start: string, end: string) => withPosition((await google.totals({ site, start, end, dataState: 'final' })).total)
  const rows = (await google.totals({ site, start: before(through, 27), end: through, dims: 'date', dataState: 'final' })).rows
  const days = rows.map((row) => ({ ...withPosition(row), date: row.keys[0] ?? '' }))
  return cardsFrom(await total(before(through, 6), through), await total(before(through, 13), before(through, 7)), days)
}

/** Google's last final day. */
export async function finalDay(google: Control, site: string): Promise<string> {
  const today = google.now().toISOString().slice(0, 10)
  const answer = (await google.call('GET', `totals?${new URLSearchParams({ site, start: today, end: today, dims: '' })}`)) as {
    finalDate: string
  }
  return answer.finalDate
}

/** The cards for 14 or more days from a file, oldest first. */
export function cardsOfFile(days: readonly { date: string; clicks: number; impressions: number; position: number }[]): Cards {
  const sum = (part: typeof days): Totals => {
    const clicks = part.reduce((all, day) => all + day.clicks, 0)
    const impressions = part.reduce((all, day) => all + day.impressions, 0)
    const positions = part.reduce((all, day) => all + day.position * day.impressions, 0)
    return { clicks, impressions, ctr: clicks / impressions, position: positions / impressions }
  }
  return cardsFrom(
    sum(days.slice(-7)),
    sum(days.slice(-14, -7)),
    days.slice(-28).map((day) => ({ ...day, ctr: day.clicks / day.impressions })),
  )
}

/** For a figure that rose, and one that fell. */
const words = { position: ['Dropped', 'Improved'], other: ['Up', 'Down'] } as const

function cardsFrom(current: Totals, previous: Totals, days: readonly Day[]): Cards {
  const last = days.at(-1)?.date ?? ''
  const now = period(before(last, 6), last)
  const figure = (metric: Metric, key: keyof Totals, riseIs: 'red' | 'green') => {
    const isPosition = key === 'position'
    // A position changes by places, as shown; anything else in percent.
    const change = isPosition
      ? Number(current[key].toFixed(1)) - Number(previous[key].toFixed(1))
      : ((current[key] - previous[key]) / previous[key]) * 100
    const shown = Math.abs(change).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
    const level = shown === '0.0'
    const fallIs = riseIs === 'red' ? 'green' : 'red'
    return {
      value: format[metric](current[key]),
      previous: format[metric](previous[key]),
      change: `${level ? 'Unchanged,' : words[isPosition ? 'position' : 'other'][change > 0 ? 0 : 1]} ${shown}${isPosition ? ' positions' : '%'}`,
      color: level ? ('gray' as const) : change > 0 ? riseIs : fallIs,
    }
  }
  return {
    current: now,
    periods: `${now} vs ${period(before(last, 13), before(last, 7))}`,
    // OPEN-POINTS 15: better is green, worse is red; a smaller position is better.
    figures: {
      Clicks: figure('Clicks', 'clicks', 'green'),
      Impressions: figure('Impressions', 'impressions', 'green'),
      CTR: figure('CTR', 'ctr', 'green'),
      Position: figure('Position', 'position', 'red'),
    },
    days: days.map((day) => ({
      date: day.date,
      figures: {
        Clicks: format.Clicks(day.clicks),
        Impressions: format.Impressions(day.impressions),
        CTR: format.CTR(day.ctr),
        Position: format.Position(day.position),
      },
    })),
  }
}

// SPEC §9, Display.
const count = (value: number) => value.toLocaleString('en-US')
const format: Record<Metric, (value: number) => string> = {
  Clicks: count,
  Impressions: count,
  CTR: (fraction) => `${(fraction * 100).toFixed(2)}%`,
  Position: (value) => value.toFixed(1),
}

export const metrics = Object.keys(format) as Metric[]

export const cardOf = (page: Page, metric: Metric): Locator => page.getByRole('region', { name: metric, exact: true })

/** The four figures, with their comparison, to the last click. */
export async function expectCards(page: Page, cards: Cards): Promise<void> {
  await expectVisible(page.getByText(`${cards.current} `, { exact: false }))
  for (const metric of metrics) {
    const card = cardOf(page, metric)
    const { value, previous, change, color } = cards.figures[metric]
    await expectText(card.getByRole('paragraph').first(), value)
    const chip = card.getByRole('button', { name: `${change} vs previous 7 days: ${previous} → ${value}, ${cards.periods}`, exact: true })
    await expectVisible(chip)
    expect(await chip.getAttribute('data-color'), `color of ${metric}, ${change}`).toBe(color)
  }
}

const withPosition = ({
  position = 0,
  ...rest
}: {
  clicks: number
  impressions: number
  ctr: number
  position?: number | undefined
}): Totals => ({
  ...rest,
  position,
})

/** The day this many days before. */
export const before = (date: string, days: number): string => new Date(Date.parse(date) - days * 86_400_000).toISOString().slice(0, 10)

/** `9 Mar`, or `9 Mar 2026` with the year. */
export function spoken(date: string, year = false): string {
  const at = new Date(date)
  const month = at.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' })
  return `${at.getUTCDate()} ${month}${year ? ` ${at.getUTCFullYear()}` : ''}`
}

/** `3–9 Mar`, `26 Feb–4 Mar`. */
function period(start: string, end: string): string {
  const sameMonth = start.slice(0, 7) === end.slice(0, 7)
  return `${sameMonth ? new Date(start).getUTCDate() : spoken(start)}–${spoken(end)}`
}
