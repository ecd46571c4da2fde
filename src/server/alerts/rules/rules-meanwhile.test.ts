import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EvaluatedSite, type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import type { AlertCondition, ConditionChange, NewCondition } from '../../../contract/alerts/conditions.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { pacificHour, pacificHours } from '../../../core/analytics/pacific-hours.ts'
import type { HourFigures } from '../../facts/questions/hours.ts'

// Rules that change after they have been read and before their findings are stored.

const through = '2026-03-15'
const today = '2026-03-18'
const oldest = addDays(through, -120)
const drop: NewCondition = { type: 'clicks', title: 'Drop in clicks', monitor: 'site' }
const dropOfPage: NewCondition = { type: 'clicks', title: 'Clicks drop', monitor: 'pages', targets: ['/'] }
let evaluated: EvaluatedSites
beforeAll(async () => void (evaluated = await openEvaluatedSites(`${today}T20:00:00Z`)))
afterAll(() => evaluated.close())
beforeEach(() => {
  evaluated.meanwhile.happens = async () => undefined
  evaluated.announced.length = 0
})

/** A site that loses four fifths of its clicks in the last complete week. */
async function falling(name: string, rules: readonly NewCondition[]): Promise<EvaluatedSite> {
  const site = await evaluated.property(`https://${name}.example/`, { through, rules })
  await site.store(oldest, through, (date) => [{ page: '/', clicks: date > addDays(through, -7) ? 200 : 1_000 }])
  await site.backfilled(oldest, oldest)
  return site
}

/** After rules have been read, while their figures are requested. */
function meanwhile(happens: () => Promise<unknown>): void {
  evaluated.meanwhile.happens = async () => {
    evaluated.meanwhile.happens = async () => undefined
    await happens()
  }
}

const change = (rule: AlertCondition | undefined, to: ConditionChange) => evaluated.alerts.conditions.change('u', rule?.id ?? '', to)

describe('while its days are evaluated', () => {
  test('a rule that is switched off opens nothing', async () => {
    const site = await falling('off', [drop])
    meanwhile(() => change(site.rules[0], { isEnabled: false }))
    await evaluated.alerts.runDue()
    await evaluated.alerts.runDue()
    expect([await site.list(), evaluated.announced]).toEqual([[], []])
  })

  test('a deleted one opens nothing, and what another has found is there after the next evaluation', { tags: ['full'] }, async () => {
    const site = await falling('deleted', [drop, dropOfPage])
    meanwhile(() => evaluated.alerts.conditions.remove('u', site.rules[0]!.id))
    await evaluated.alerts.runDue()
    await evaluated.alerts.runDue()
    expect(await site.list()).toMatchObject([{ conditionId: site.rules[1]!.id, state: 'firing' }])
    expect(evaluated.announced).toHaveLength(1)
  })

  test.each([
    ['found something', dropOfPage],
    ['found nothing', { ...drop, threshold: 100 }],
  ])('a new one is evaluated next time, if the others %s', { tags: ['full'] }, async (found, other) => {
    const site = await falling(`made, ${found}`, [other])
    const made: AlertCondition[] = []
    meanwhile(async () => made.push(await evaluated.alerts.conditions.create(site, drop)))
    await evaluated.alerts.runDue()
    await evaluated.alerts.runDue()
    expect((await site.list()).map(({ conditionId }) => conditionId)).toContain(made[0]?.id)
  })

  test('a changed one is evaluated with its current settings', { tags: ['full'] }, async () => {
    const site = await falling('changed', [{ ...drop, threshold: 100 }])
    meanwhile(() => change(site.rules[0], { threshold: 15 }))
    await evaluated.alerts.runDue()
    expect(await site.list()).toEqual([])
    await evaluated.alerts.runDue()
    expect(await site.list()).toMatchObject([{ conditionId: site.rules[0]!.id, state: 'firing' }])
  })

  test(
    'many changes and evaluations at once wait for each other, and none waits forever',
    { tags: ['full'], timeout: 120_000 },
    async () => {
      const site = await falling('busy', [drop, dropOfPage])
      const rounds = Array.from({ length: 8 }, (_, round) => round)
      await Promise.all([
        ...rounds.map((round) => change(site.rules[round % 2], { isEnabled: round % 4 > 1 })),
        ...rounds.map((round) => evaluated.alerts.conditions.create(site, { ...drop, title: `Drop ${round}`, monitor: 'top_pages' })),
        ...rounds.slice(0, 3).map(() => evaluated.alerts.evaluate('u', 'all')),
        ...rounds.slice(0, 3).map(() => evaluated.alerts.runDue()),
      ])
      await evaluated.alerts.runDue()
      const enabled = (await evaluated.alerts.conditions.list(site)).filter(({ isEnabled }) => isEnabled).map(({ id }) => id)
      const open = (await site.list()).filter(({ state }) => state === 'firing').map(({ conditionId }) => conditionId)
      expect(open.every((id) => enabled.includes(id ?? ''))).toBe(true)
      // Findings about pages are parts of the whole site's.
      expect(open.length).toBeGreaterThan(0)
    },
  )
})

test('while its hours are evaluated, a rule that is switched off opens nothing; switched on again, they are evaluated after all', async () => {
  const site = await falling('hours', [drop])
  await sql`UPDATE property_syncs SET complete_through = ${addDays(through, -7)} WHERE property_id = ${site.id}`.execute(
    evaluated.stores.db,
  )
  const hours = await evaluated.stores.facts.beginHours(site.id)
  const days = [0, 1, 2, 3, 4].map((week) => addDays(today, -7 * week))
  await hours.store(new Map(days.map((date) => [date, hoursOf(date, date === today ? 2 : 50)])))
  await sql`INSERT INTO hour_syncs (property_id, complete_through) VALUES (${site.id}, ${`${today}T17:00:00Z`})`.execute(
    evaluated.stores.db,
  )
  await evaluated.alerts.hoursChanged(site.id)
  meanwhile(() => change(site.rules[0], { isEnabled: false }))
  await evaluated.alerts.runDue()
  await evaluated.alerts.runDue()
  expect([await site.list(), evaluated.announced]).toEqual([[], []])

  await evaluated.alerts.hoursChanged(site.id)
  meanwhile(() => change(site.rules[0], { threshold: 20 }))
  await change(site.rules[0], { isEnabled: true })
  await evaluated.alerts.runDue()
  expect(await site.list()).toEqual([])
  await evaluated.alerts.runDue()
  expect(await site.list()).toMatchObject([{ conditionId: site.rules[0]!.id, hours: { day: today, status: 'preliminary' } }])
})

const hoursOf = (date: string, clicks: number): HourFigures[] =>
  pacificHours(date)
    .slice(0, date === today ? 11 : 24)
    .map((at) => ({ at: at.toISOString(), date, hour: pacificHour(at), clicks, impressions: clicks * 10, positionSum: clicks * 30 }))
