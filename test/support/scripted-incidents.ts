import { expect } from 'vitest'
import { z } from 'zod'
import { alertCondition, backtestAnswer, type NewCondition } from '../../src/contract/alerts/conditions.ts'
import { alerts, type Alert, evaluateAnswer } from '../../src/contract/alerts/alerts.ts'
import type { defaultConditions } from '../../src/core/alerting/defaults.ts'
import { templates } from '../../src/core/alerting/templates.ts'
import { addDays, daysBetween } from '../../src/core/analytics/days.ts'
import { sites, type TestApp } from './app.ts'
import { runJob } from './jobs.ts'
import type { Visitor } from './visitor.ts'

const resolved = z.object({
  id: z.string(),
  property: z.enum(['shop', 'blog', 'local']),
  start: z.string(),
  end: z.string(),
  page: z.string().nullable(),
  query: z.string().nullable(),
  ramp: z.number().default(0),
})

/** The sample properties and their scripted incidents. */
export type Scripted = { app: TestApp; demo: Visitor; incidents: Map<string, z.infer<typeof resolved>>; through: string }

/** @param through the day to which the properties are complete @param owner of the properties, if they aren't the samples */
export async function scriptedIn(app: TestApp, through: string, owner?: Visitor): Promise<Scripted> {
  const answer = z.object({ incidents: z.array(resolved) }).parse(await app.google.call('GET', 'incidents'))
  // The default rules are tested separately.
  await (await app.stores()).sql('UPDATE alert_conditions SET is_enabled = false')
  return {
    app,
    demo: owner ?? (await app.demo()),
    incidents: new Map(answer.incidents.map((incident) => [incident.id, incident])),
    through,
  }
}

const of = (site: string) => `property=${encodeURIComponent(site)}`
export const backtest = async ({ demo }: Scripted, site: string, rule: NewCondition) => {
  const answer = await demo.send('POST', `/api/alert-conditions/backtest?${of(site)}`, rule)
  expect(answer.status).toBe(200)
  return backtestAnswer.parse(answer.body)
}
export const fields = (condition: (typeof defaultConditions)[number]): NewCondition => {
  const { comparison, minimumImpressions, sensitivity, targets, ...rest } = condition
  const some = { ...(comparison && { comparison }), ...(minimumImpressions !== null && { minimumImpressions }) }
  return { ...rest, targets: [...targets], ...some, ...(sensitivity && { sensitivity }) }
}
const template = (id: string): NewCondition => fields(templates.find((each) => each.id === id)!.condition)

/** Evaluates the stored days as on the evening of that day: no later ones are complete yet. */
async function evaluateThrough(
  { app, demo }: Scripted,
  site: string,
  day: string,
  rule: NewCondition,
): Promise<{ count: number; found: Alert[]; ruleId: string }> {
  const { id } = alertCondition.parse((await demo.send('POST', `/api/alert-conditions?${of(site)}`, rule)).body)
  await completeThrough(app, site, day)
  const { count } = evaluateAnswer.parse((await demo.send('POST', `/api/alerts/evaluate?${of(site)}`)).body)
  const found = alerts.parse((await demo.get(`/api/alerts?${of(site)}`)).body).filter(({ conditionId }) => conditionId === id)
  return { count, found, ruleId: id }
}
async function completeThrough(app: TestApp, site: string, day: string): Promise<void> {
  const { sql } = await app.stores()
  await sql('UPDATE property_syncs SET complete_through = $2 WHERE property_id = (SELECT id FROM properties WHERE name = $1)', [site, day])
}
async function forget({ app, demo, through }: Scripted, site: string, ruleId: string): Promise<void> {
  await completeThrough(app, site, through)
  expect((await demo.send('DELETE', `/api/alert-conditions/${ruleId}`)).status).toBe(204)
}

const clicks: NewCondition = { type: 'clicks', title: 'Clicks drop' }
const spike: NewCondition = { type: 'clicks', title: 'Clicks spike', threshold: 30 }
const ctr: NewCondition = { type: 'ctr', title: 'CTR drop' }
const position: NewCondition = { type: 'position', title: 'Position drop' }

export type Case = { id: string; rule: NewCondition; severities: Alert['severity'][] }
export const cases: readonly Case[] = [
  { id: 'shop-page-lost', rule: clicks, severities: ['warning', 'critical'] },
  { id: 'shop-page-lost', rule: position, severities: ['warning', 'critical'] },
  { id: 'shop-ctr-collapse', rule: ctr, severities: ['critical'] },
  // Four days before, clicks fall by 15% by chance: with the usual threshold, that alert would be the one that becomes far worse.
  { id: 'shop-clicks-drop', rule: { ...clicks, threshold: 25 }, severities: ['warning', 'critical'] },
  { id: 'shop-spike', rule: spike, severities: ['positive'] },
  // A place and a half per week: below the usual threshold of three, and found by one.
  { id: 'shop-position-slide', rule: { ...position, threshold: 1 }, severities: ['warning', 'critical'] },
  { id: 'shop-page-new', rule: template('new-ranking-page'), severities: ['positive'] },
  { id: 'shop-query-new', rule: template('new-keyword'), severities: ['positive'] },
  { id: 'shop-query-lost', rule: template('lost-ranking'), severities: ['critical'] },
  { id: 'shop-drop-last-year', rule: clicks, severities: ['warning', 'critical'] },
  { id: 'blog-spike', rule: spike, severities: ['positive'] },
  { id: 'blog-query-lost', rule: template('lost-ranking'), severities: ['critical'] },
  { id: 'blog-query-new', rule: template('new-keyword'), severities: ['positive'] },
  { id: 'blog-page-new', rule: template('new-ranking-page'), severities: ['positive'] },
  // It begins the day before Google's change in counting impressions, so CTR can't be compared: clicks find it.
  { id: 'blog-ctr-collapse', rule: clicks, severities: ['warning', 'critical'] },
  { id: 'local-clicks-drop', rule: clicks, severities: ['warning', 'critical'] },
  { id: 'local-page-lost', rule: clicks, severities: ['warning', 'critical'] },
  { id: 'local-spike', rule: spike, severities: ['positive'] },
]

/** Verifies that a rule finds an incident soon after it began, with the stand-in's own figures. */
export async function expectFound(scripted: Scripted, { id, rule, severities }: Case): Promise<void> {
  const incident = scripted.incidents.get(id)!
  const site = sites[incident.property]
  const entity = incident.page ?? incident.query
  const about: NewCondition =
    rule.kind !== undefined ? rule : incident.page ? { ...rule, monitor: 'pages', targets: [incident.page] } : { ...rule, monitor: 'site' }
  const { days } = await backtest(scripted, site, about)
  const hit = days.find(({ date, entities }) => date >= incident.start && entities.includes(entity ?? site))
  expect(hit && daysBetween(incident.start, hit.date)).toBeLessThanOrEqual(11 + incident.ramp)

  // The evaluation itself, as on that day: the same alert, with the stand-in's own figures.
  const day = hit!.date
  const { count, found, ruleId } = await evaluateThrough(scripted, site, day, about)
  const alert = found.find((each) => each.entity.name === (entity ?? site))
  expect(count).toBe(found.length)
  expect(alert).toMatchObject({ type: about.type, state: 'firing', target: site, viewed: false })
  expect(severities).toContain(alert!.severity)
  expect(alert!.entity.kind).toBe(incident.page ? 'page' : incident.query ? 'query' : 'site')
  expect(alert!.current).toEqual({ start: addDays(day, -6), end: day })
  expect(alert!.previous).toEqual({ start: addDays(day, -13), end: addDays(day, -7) })
  expect(rounded(alert!.currentValue)).toBe(rounded(await standInFigure(scripted.app, site, alert!, alert!.current!)))
  expect(rounded(alert!.previousValue)).toBe(rounded(await standInFigure(scripted.app, site, alert!, alert!.previous!)))
  expect(alert!.data.length).toBeGreaterThan(0)
  await forget(scripted, site, ruleId)
}

/** The alert's figure by the stand-in's own count. */
async function standInFigure(
  app: TestApp,
  site: string,
  { type, entity }: Alert,
  window: { start: string; end: string },
): Promise<number | null> {
  const answer = await app.google.totals({ site, ...window, dims: entity.kind === 'site' ? '' : entity.kind })
  const row = entity.kind === 'site' ? answer.total : answer.rows.find(({ keys }) => keys[0] === entity.name)
  if (type === 'clicks' || type === 'impressions') return row?.[type] ?? 0
  return (type === 'ctr' ? row && row.clicks / row.impressions : row?.position) ?? null
}
/** Sums of fractions differ in their last digits if added in another order. */
const rounded = (figure: number | null): string | null => figure?.toFixed(8) ?? null

/** All alerts of the default rules up to the last day, if each day had been evaluated on its own evening. */
export async function alertsOfLastDays({ app, demo, through }: Scripted, site: string, days: number): Promise<Alert[]> {
  const { sql } = await app.stores()
  const ofSite = 'property_id = (SELECT id FROM properties WHERE name = $1)'
  await sql(`UPDATE alert_conditions SET is_enabled = title <> 'Impressions spike' WHERE ${ofSite}`, [site])
  // What the first evaluation found when all days arrived at once.
  await sql(`DELETE FROM alerts WHERE ${ofSite}`, [site])
  await sql(`DELETE FROM site_baselines WHERE ${ofSite}`, [site])
  for (let back = days - 1; back >= 0; back--) {
    await completeThrough(app, site, addDays(through, -back))
    await runJob(app, 'alerts-due')
  }
  return alerts.parse((await demo.get(`/api/alerts?${of(site)}&state=all`)).body)
}
