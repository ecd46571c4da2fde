import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sites, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { synced } from '../../../test/support/people.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { alertCondition, backtestAnswer, type NewCondition } from '../../contract/alert-conditions.ts'
import { alerts, type Alert, evaluateAnswer } from '../../contract/alerts.ts'
import { addDays, daysBetween } from '../../core/analytics/days.ts'
import { defaultConditions } from '../../core/alerting/defaults.ts'
import { templates } from '../../core/alerting/templates.ts'

// The stand-in's scripted incidents against what the alerts make of the stored sample properties.

const resolved = z.object({
  id: z.string(),
  property: z.enum(['shop', 'blog', 'local']),
  start: z.string(),
  end: z.string(),
  page: z.string().nullable(),
  query: z.string().nullable(),
  ramp: z.number().default(0),
})
type Resolved = z.infer<typeof resolved>

let app: TestApp
let demo: Visitor
let incidents: Map<string, Resolved>
let through: string

beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18' })
  demo = await app.demo()
  for (const site of Object.values(sites)) through = (await synced(demo, site, 400_000)).completeThrough ?? ''
  const answer = z.object({ incidents: z.array(resolved) }).parse(await app.google.call('GET', 'incidents'))
  incidents = new Map(answer.incidents.map((incident) => [incident.id, incident]))
  // The rules that come by themselves are looked at in the table below.
  await (await app.stores()).sql('UPDATE alert_conditions SET is_enabled = false')
}, 500_000)
afterAll(() => app.close())

const of = (site: string) => `property=${encodeURIComponent(site)}`
const backtest = async (site: string, rule: NewCondition) => {
  const answer = await demo.send('POST', `/api/alert-conditions/backtest?${of(site)}`, rule)
  expect(answer.status).toBe(200)
  return backtestAnswer.parse(answer.body)
}
const fields = (condition: (typeof defaultConditions)[number]): NewCondition => {
  const { comparison, minimumImpressions, targets, ...rest } = condition
  return { ...rest, targets: [...targets], ...(comparison && { comparison }), ...(minimumImpressions !== null && { minimumImpressions }) }
}
const template = (id: string): NewCondition => fields(templates.find((each) => each.id === id)!.condition)

/** Judges the stored days as on the evening of that day: no later ones are complete yet. */
async function evaluateThrough(site: string, day: string, rule: NewCondition): Promise<{ count: number; found: Alert[]; ruleId: string }> {
  const { id } = alertCondition.parse((await demo.send('POST', `/api/alert-conditions?${of(site)}`, rule)).body)
  await completeThrough(site, day)
  const { count } = evaluateAnswer.parse((await demo.send('POST', `/api/alerts/evaluate?${of(site)}`)).body)
  const found = alerts.parse((await demo.get(`/api/alerts?${of(site)}`)).body).filter(({ conditionId }) => conditionId === id)
  return { count, found, ruleId: id }
}
async function completeThrough(site: string, day: string): Promise<void> {
  const { sql } = await app.stores()
  await sql('UPDATE property_syncs SET complete_through = $2 WHERE property_id = (SELECT id FROM properties WHERE name = $1)', [site, day])
}
async function forget(site: string, ruleId: string): Promise<void> {
  await completeThrough(site, through)
  expect((await demo.send('DELETE', `/api/alert-conditions/${ruleId}`)).status).toBe(204)
}

const clicks: NewCondition = { type: 'clicks', title: 'Clicks drop' }
const spike: NewCondition = { type: 'clicks', title: 'Clicks spike', threshold: 30 }
const ctr: NewCondition = { type: 'ctr', title: 'CTR drop' }
const position: NewCondition = { type: 'position', title: 'Position drop' }

type Case = { id: string; rule: NewCondition; severities: Alert['severity'][] }
const cases: Case[] = [
  { id: 'shop-page-lost', rule: clicks, severities: ['warning', 'critical'] },
  { id: 'shop-page-lost', rule: position, severities: ['warning', 'critical'] },
  { id: 'shop-ctr-collapse', rule: ctr, severities: ['critical'] },
  { id: 'shop-clicks-drop', rule: clicks, severities: ['warning', 'critical'] },
  { id: 'shop-spike', rule: spike, severities: ['positive'] },
  // A place and a half a week: below the usual threshold of three, and found by one.
  { id: 'shop-position-slide', rule: { ...position, threshold: 1 }, severities: ['warning', 'critical'] },
  { id: 'shop-page-new', rule: template('new-ranking-page'), severities: ['positive'] },
  { id: 'shop-query-new', rule: template('new-keyword'), severities: ['positive'] },
  { id: 'shop-query-lost', rule: template('lost-ranking'), severities: ['critical'] },
  { id: 'shop-drop-last-year', rule: clicks, severities: ['warning', 'critical'] },
  { id: 'blog-spike', rule: spike, severities: ['positive'] },
  { id: 'blog-query-lost', rule: template('lost-ranking'), severities: ['critical'] },
  { id: 'blog-query-new', rule: template('new-keyword'), severities: ['positive'] },
  { id: 'blog-page-new', rule: template('new-ranking-page'), severities: ['positive'] },
  { id: 'blog-ctr-collapse', rule: ctr, severities: ['critical'] },
  { id: 'local-clicks-drop', rule: clicks, severities: ['warning', 'critical'] },
  { id: 'local-page-lost', rule: clicks, severities: ['warning', 'critical'] },
  { id: 'local-spike', rule: spike, severities: ['positive'] },
]

describe('every scripted incident is found', () => {
  test.each(cases)('$id by a rule about $rule.type ($rule.kind)', async ({ id, rule, severities }) => {
    const incident = incidents.get(id)!
    const site = sites[incident.property]
    const entity = incident.page ?? incident.query
    const about: NewCondition =
      rule.kind !== undefined
        ? rule
        : incident.page
          ? { ...rule, monitor: 'pages', targets: [incident.page] }
          : { ...rule, monitor: 'site' }
    const { days } = await backtest(site, about)
    const hit = days.find(({ date, entities }) => date >= incident.start && entities.includes(entity ?? site))
    expect(hit && daysBetween(incident.start, hit.date)).toBeLessThanOrEqual(11 + incident.ramp)

    // The evaluation itself, as on that day: the same alert, with the stand-in's own figures.
    const day = hit!.date
    const { count, found, ruleId } = await evaluateThrough(site, day, about)
    const alert = found.find((each) => each.entity.name === (entity ?? site))
    expect(count).toBe(found.length)
    expect(alert).toMatchObject({ type: about.type, state: 'firing', target: site, viewed: false })
    expect(severities).toContain(alert!.severity)
    expect(alert!.entity.kind).toBe(incident.page ? 'page' : incident.query ? 'query' : 'site')
    expect(alert!.current).toEqual({ start: addDays(day, -6), end: day })
    expect(alert!.previous).toEqual({ start: addDays(day, -13), end: addDays(day, -7) })
    expect(rounded(alert!.currentValue)).toBe(rounded(await standInFigure(site, alert!, alert!.current!)))
    expect(rounded(alert!.previousValue)).toBe(rounded(await standInFigure(site, alert!, alert!.previous!)))
    expect(alert!.data.length).toBeGreaterThan(0)
    await forget(site, ruleId)
  })
})

/** The alert's figure by the stand-in's own count. */
async function standInFigure(site: string, { type, entity }: Alert, window: { start: string; end: string }): Promise<number | null> {
  const answer = await app.google.totals({ site, ...window, dims: entity.kind === 'site' ? '' : entity.kind })
  const row = entity.kind === 'site' ? answer.total : answer.rows.find(({ keys }) => keys[0] === entity.name)
  if (type === 'clicks' || type === 'impressions') return row?.[type] ?? 0
  return (type === 'ctr' ? row && row.clicks / row.impressions : row?.position) ?? null
}
/** Sums of fractions in another order differ in their last digits. */
const rounded = (figure: number | null): string | null => figure?.toFixed(8) ?? null

describe('the quiet months are quiet', () => {
  // Between 210 and 240 days before the start nothing is scripted, nor in the weeks whose comparison would reach it.
  const quiet = { from: addDays('2026-03-18', -262), to: addDays('2026-03-18', -218) }
  const rules: [string, NewCondition][] = templates.map(({ id, condition }) => [id, fields(condition)])

  test.each(Object.values(sites))('%s', async (site) => {
    const within: Record<string, number> = {}
    for (const [name, rule] of rules.filter(([, { monitor, type }]) => monitor === 'site' || type === 'position')) {
      const { days } = await backtest(site, rule)
      const alarms = days.filter(({ date }) => date >= quiet.from && date <= quiet.to)
      if (alarms.length > 0) within[name] = alarms.reduce((sum, day) => sum + day.alerts, 0)
    }
    expect(within).toEqual({})
  })

  test('the four rules that come by themselves, on ten pages and twenty queries each, open few alerts in six weeks', async () => {
    const counts: Record<string, number> = {}
    for (const [label, site] of Object.entries(sites)) {
      for (const condition of defaultConditions) {
        const { days } = await backtest(site, fields(condition))
        const alarms = days.filter(({ date }) => date >= quiet.from && date <= quiet.to)
        counts[label] = (counts[label] ?? 0) + alarms.reduce((sum, day) => sum + day.alerts, 0)
      }
    }
    expect(counts).toEqual({ shop: 0, blog: 1, local: 3 })
  })
})

test('alerts a month of each sample property, by rule', async () => {
  const rules: [string, NewCondition][] = [
    ...defaultConditions.map((condition): [string, NewCondition] => [`default: ${condition.title}`, fields(condition)]),
    ...templates.map(({ name, condition }): [string, NewCondition] => [name, fields(condition)]),
  ]
  const perMonth: Record<string, Record<string, number>> = {}
  for (const [name, rule] of rules) {
    const counts: Record<string, number> = {}
    perMonth[name] = counts
    for (const [label, site] of Object.entries(sites)) {
      const started = performance.now()
      const { from, days } = await backtest(site, rule)
      expect(performance.now() - started).toBeLessThan(5_000)
      const months = daysBetween(from!, through) / 30.4
      counts[label] = Number((days.reduce((sum, day) => sum + day.alerts, 0) / months).toFixed(2))
    }
  }
  expect(perMonth).toEqual({
    'default: Clicks drop': { shop: 1.31, blog: 0.69, local: 1 },
    'default: CTR drop': { shop: 2.16, blog: 1.47, local: 0.15 },
    'default: Impressions spike': { shop: 0.08, blog: 0.08, local: 0 },
    'default: Position drop': { shop: 0, blog: 0, local: 0 },
    'Ranking change': { shop: 0.31, blog: 0, local: 0.08 },
    'Traffic spike': { shop: 0, blog: 0.08, local: 0.08 },
    'New keyword': { shop: 0.23, blog: 0.39, local: 0 },
    'Lost ranking': { shop: 0.39, blog: 0.08, local: 0.23 },
    'New ranking page': { shop: 0.08, blog: 0.08, local: 0 },
    'Drop in impressions': { shop: 0.15, blog: 0, local: 0.15 },
    'Drop in clicks': { shop: 0.15, blog: 0, local: 0.08 },
    'CTR drop': { shop: 0.85, blog: 0.62, local: 1.16 },
  })
}, 120_000)
