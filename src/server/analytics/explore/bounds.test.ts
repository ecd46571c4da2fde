import { expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import { newPerson } from '../../../../test/support/people.ts'
import { watchedAtOnce } from '../../../../test/support/stored-history.ts'
import { inFull } from '../../../../test/support/in-full.ts'
import { explored } from '../../../contract/explore/explore.ts'
import { addDays } from '../../../core/analytics/days.ts'

const site = 'https://bounds.example/'
const last = '2026-03-16'
/** Those whose hundredth, times 100, is not the same number. */
const percents = [7, 14, 28, 29, 55, 56, 57, 58, 2.9, 5.7]

const test = appTest({ today: '2026-03-18', demo: false }).extend('owner', { scope: 'file' }, async ({ app }) => {
  const owner = await newPerson(app, { sites: { [site]: 'empty' } })
  for (const [at, percent] of percents.entries()) {
    const date = addDays(last, -at)
    const row = { query: `of ${percent}`, page: site, clicks: percent * 10, impressions: 1_000, position: 3 }
    await app.google.setDays(site, { from: date, to: date }, [row])
  }
  await watchedAtOnce(app, site, { days: 20 })
  return owner
})

test.for(['query', ...inFull(['date'])] as const)('bounds of a CTR are inclusive, by %s', async (by, { owner }) => {
  const found = async (bound: string) => {
    const query = new URLSearchParams({ property: site, by, range: '28d', compare: 'none', where: `ctr ${bound}` })
    const { rows } = explored.parse((await owner.get(`/api/explore?${query}`)).body)
    return new Set(rows.filter(({ impressions }) => impressions > 0).map(({ clicks }) => clicks / 10))
  }
  for (const percent of percents) {
    expect(await found(`from ${percent}`), `at least ${percent}%`).toEqual(new Set(percents.filter((each) => each >= percent)))
    expect(await found(`to ${percent}`), `at most ${percent}%`).toEqual(new Set(percents.filter((each) => each <= percent)))
  }
})
