import { expect } from 'vitest'
import { todayAnswer, type TodaySoFar } from '../../src/contract/today.ts'
import type { PlanId } from '../../src/contract/user.ts'
import { type HourFigures, hourTotals } from '../../src/server/facts/questions/hours.ts'
import type { TestApp } from './app.ts'
import { newPerson, propertyId, select, shortenHistory, synced } from './people.ts'
import { until } from './until.ts'
import type { Visitor } from './visitor.ts'

export type Counts = Pick<HourFigures, 'at' | 'clicks' | 'impressions'>

type SyncRow = { asked_at: Date | null; retry_at: Date | null; to_tell: boolean; complete_through: Date | null }

/** What a user sees about today. */
export async function today(person: Visitor, name: string) {
  return todayAnswer.parse((await person.get(`/api/today?property=${encodeURIComponent(name)}`)).body)
}

/** The hours of a user's property. */
export function hoursOf(app: TestApp, person: Visitor, property: string) {
  async function atGoogle(start: string, end: string): Promise<Counts[]> {
    const { rows } = await app.google.totals({ site: property, start, end, dims: 'hour', dataState: 'hourly_all' })
    return rows.map(({ keys: [key = ''], clicks, impressions }) => ({ at: new Date(key).toISOString(), clicks, impressions }))
  }
  async function stored(start: string, end: string): Promise<HourFigures[]> {
    const { clickhouse } = await app.stores()
    return hourTotals(clickhouse, { property: await propertyId(app, property), from: start, to: end })
  }
  /** Hours without figures are stored too; Google omits them. */
  async function expectStoredAsAtGoogle(start: string, end: string): Promise<void> {
    const hours = (await stored(start, end)).filter(({ impressions }) => impressions > 0)
    const google = await atGoogle(start, end)
    expect(google.length).toBeGreaterThan(10)
    expect(hours.map(({ at, clicks, impressions }) => ({ at, clicks, impressions }))).toEqual(google)
  }
  const syncRow = async (): Promise<SyncRow | undefined> =>
    (await (await app.stores()).sql<SyncRow>('SELECT * FROM hour_syncs WHERE property_id = $1', [await propertyId(app, property)]))[0]
  const askedAt = async (): Promise<number> => new Date((await syncRow())?.asked_at ?? 0).getTime()
  /** Waits until Google has been asked at the current time. */
  const asked = () => until(askedAt, (at) => at === app.google.now().getTime())
  const hourRequests = async (status?: number) =>
    (await app.google.requests()).filter(
      ({ dims, siteUrl, ...request }) =>
        dims?.join() === 'hour' && siteUrl === property && (status === undefined || request.status === status),
    )
  /** Sets the time, for Google and for us, and runs the every-minute check for due work. */
  async function laterAt(moment: string): Promise<void> {
    await app.google.setMoment(moment)
    await app.lookForDue()
  }
  async function todayOf(): Promise<TodaySoFar> {
    const answer = await today(person, property)
    if (!answer.today) throw new Error('There is nothing of today')
    return answer.today
  }
  return { atGoogle, stored, expectStoredAsAtGoogle, syncRow, askedAt, asked, hourRequests, laterAt, todayOf }
}

/** A user with a property that has three days stored. */
export async function watching(app: TestApp, name: string, who: { email: string; plan: PlanId }): Promise<Visitor> {
  const person = await newPerson(app, { ...who, sites: { [name]: 'local' } })
  await shortenHistory(app, name, 3)
  await select(person, name)
  await synced(person, name)
  return person
}
