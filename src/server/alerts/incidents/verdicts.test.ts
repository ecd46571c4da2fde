import { describe, expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import { putAlerts, type StoredAlert } from '../../../../test/support/stored-alerts.ts'
import { storeHistory } from '../../../../test/support/stored-history.ts'
import { through, today, type TwoPages, twoPages } from '../../../../test/support/two-pages.ts'
import { backtestAnswer, type NewCondition, ruleProposal } from '../../../contract/alerts/conditions.ts'
import { addDays } from '../../../core/analytics/days.ts'

const test = appTest({ today, demo: false }).extend('site', ({ app }) => twoPages(app, 100, 10))

const rate = async ({ owner }: TwoPages, id: string, verdict: string | null) => owner.send('POST', `/api/alerts/${id}/verdict`, { verdict })
const on = (date: string, more: Partial<StoredAlert> = {}): StoredAlert => ({ openedAt: `${date}T12:00:00Z`, ...more })

test('an owner rates an alert, changes the rating and removes it; each is an event in its timeline', async ({ app, site }) => {
  const [id = ''] = await putAlerts(app, site.site, [on('2026-03-16')])
  expect(await rate(site, id, 'useful')).toMatchObject({ status: 200, body: { id, verdict: 'useful', state: 'firing' } })
  expect(await rate(site, id, 'useful')).toMatchObject({ status: 200 })
  await rate(site, id, 'noise')
  expect(await rate(site, id, null)).toMatchObject({ body: { verdict: null } })
  const { timeline } = await site.report(id)
  const by = timeline.at(-1)?.by
  expect(by).toEqual(expect.any(String))
  expect(timeline.slice(1).map((event) => [event.reason, event.by])).toEqual([
    ['verdict_useful', by],
    ['verdict_noise', by],
    ['verdict_cleared', by],
  ])
})

test("rating a finding rates the alert it is part of, and a broken connection can't be rated", async ({ app, site }) => {
  const { sql } = await app.stores()
  const [lead = '', part = '', broken = ''] = await putAlerts(app, site.site, [
    on('2026-03-16'),
    on('2026-03-16', { entity: { kind: 'page', name: site.page } }),
    on('2026-03-15', { state: 'recovered' }),
  ])
  await sql('UPDATE alerts SET part_of = $1 WHERE id = $2', [lead, part])
  await sql(`UPDATE alerts SET entity_kind = 'connection', kind = NULL WHERE id = $1`, [broken])
  expect(await rate(site, part, 'noise')).toMatchObject({ body: { id: lead, verdict: 'noise' } })
  expect(await rate(site, broken, 'noise')).toMatchObject({ status: 409 })
  const csv = (await site.owner.get('/api/alerts/export.csv')).body as string
  expect(csv.split('\r\n')[0]).toMatch(/,rating,also found,ended as$/)
  expect(csv).toMatch(/,noise,[^\r\n]+\r\n/)
})

describe('a rule', () => {
  test('says how many of its rated alerts of the last 12 months were useful', async ({ app, site }) => {
    const { sql } = await app.stores()
    const [rule] = await site.conditions()
    const days = ['2026-03-01', '2026-02-01', '2026-01-01', '2025-03-01', '2025-12-01']
    const ids = await putAlerts(
      app,
      site.site,
      days.map((day) => on(day, { state: 'recovered' })),
    )
    await sql('UPDATE alerts SET condition_id = $1 WHERE id = ANY($2)', [rule!.id, ids.slice(0, 4)])
    expect((await site.conditions())[0]).not.toHaveProperty('rated')
    for (const [at, verdict] of (['useful', 'noise', 'useful', 'noise', 'noise'] as const).entries()) await rate(site, ids[at]!, verdict)
    expect((await site.conditions())[0]).toMatchObject({ id: rule!.id, rated: { useful: 2, of: 3 } })
  })

  test(
    'proposes another setting that keeps useful alerts and omits noise, based on its own history',
    { tags: ['full'] },
    async ({ app }) => {
      const site = await twoPages(app, 100, 210)
      const { sql } = await app.stores()
      const rule: NewCondition = { type: 'clicks', monitor: 'pages', targets: [site.page], threshold: 10, onlyUnusual: false }
      const { id } = await site.create({ ...rule, title: 'Weekly' })
      // Weeks with 15% fewer clicks, and one with 60% fewer.
      const falls = [14, 12, 10, 8, 6, 4].map((weeksAgo) => ({ end: addDays(through, -7 * weeksAgo), clicks: weeksAgo === 10 ? 40 : 85 }))
      for (const { end, clicks } of falls) await site.dictate(addDays(end, -6), end, clicks)
      await storeHistory(app, site.site, { days: 211 })
      const entity = { kind: 'page', name: site.page } as const
      const ids = await putAlerts(
        app,
        site.site,
        falls.map(({ end, clicks }) => on(addDays(end, 3), { entity, state: 'recovered', change: clicks - 100 })),
      )
      await sql('UPDATE alerts SET condition_id = $1 WHERE id = ANY($2)', [id, ids])
      for (const [at, { end, clicks }] of falls.entries()) {
        await sql(`UPDATE alerts SET opening = jsonb_set(opening, '{windows,current,end}', to_jsonb($2::text)) WHERE id = $1`, [
          ids[at],
          end,
        ])
        await rate(site, ids[at]!, clicks === 40 ? 'useful' : 'noise')
      }
      const { proposal } = ruleProposal.parse((await site.owner.get(`/api/alert-conditions/${id}/proposal`)).body)
      expect(proposal).toMatchObject({ useful: { kept: 1, of: 1 }, noise: { of: 5 } })
      expect(proposal!.noise.kept).toBeLessThan(4)
      const tried = await site.owner.send('POST', '/api/alert-conditions/backtest', { ...rule, ...proposal!.change })
      const { days } = backtestAnswer.parse(tried.body)
      expect(proposal!.alerts.proposed).toBe(days.reduce((sum, day) => sum + day.alerts, 0))
      expect(proposal!.alerts.proposed).toBeLessThan(proposal!.alerts.now)
      expect(await site.owner.send('PATCH', `/api/alert-conditions/${id}`, proposal!.change)).toMatchObject({
        status: 200,
        body: { ...proposal!.change, rated: { useful: 1, of: 6 } },
      })
    },
  )
})
