import { describe, expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import type { TestApp } from '../../../../test/support/app.ts'
import { newPerson, propertyId } from '../../../../test/support/people.ts'
import { watch } from '../../../../test/support/stored-history.ts'
import type { Visitor } from '../../../../test/support/visitor.ts'
import { alertCondition, alertConditions, type NewCondition } from '../../../contract/alerts/conditions.ts'

// The rules of a property: made, changed, copied and deleted.

const test = appTest({ today: '2026-03-18', demo: false })
let people = 0

/** Somebody with a property of which nothing is stored yet. */
async function owner(app: TestApp): Promise<{ person: Visitor; site: string }> {
  const name = `owner${++people}`
  const site = `https://${name}.example/`
  const person = await newPerson(app, { email: `${name}@example.test`, sites: { [site]: 'empty' } })
  await watch(app, site)
  return { person, site }
}
const conditions = async (person: Visitor) => alertConditions.parse((await person.get('/api/alert-conditions')).body)
const create = async (person: Visitor, rule: NewCondition) =>
  alertCondition.parse((await person.send('POST', '/api/alert-conditions', rule)).body)
const pathOf = ({ id }: { id: string }) => `/api/alert-conditions/${id}`

test('a property has the four default rules of the specification, and one about unusual clicks of the whole site', async ({ app }) => {
  const { person } = await owner(app)
  expect(await conditions(person)).toMatchObject([
    { type: 'clicks', isEnabled: true, monitor: 'top_pages', threshold: 15, thresholdUnit: '%', comparison: 'previous_7_days' },
    { type: 'ctr', isEnabled: true, monitor: 'top_queries', threshold: 10, minimumImpressions: 100 },
    { type: 'impressions', isEnabled: false, monitor: 'new_content', threshold: 50, minimumImpressions: 50 },
    { type: 'position', isEnabled: true, monitor: 'queries', threshold: 3, thresholdUnit: 'positions', minimumImpressions: 50 },
    { type: 'clicks', kind: 'unusual', isEnabled: true, direction: 'both', monitor: 'site', sensitivity: 'normal' },
  ])
})

test('the first ones are there before any other, even where nobody has looked at them', async ({ app }) => {
  const { person, site } = await owner(app)
  const { sql } = await app.stores()
  const id = await propertyId(app, site)
  await sql('DELETE FROM alert_watches WHERE property_id = $1', [id])
  await sql('DELETE FROM alert_conditions WHERE property_id = $1', [id])
  await person.send('POST', '/api/alert-conditions', { type: 'position', title: 'Mine' })
  const titles = (await conditions(person)).map(({ title }) => title)
  expect(titles).toEqual(['Clicks drop', 'CTR drop', 'Impressions spike', 'Position drop', 'Unusual clicks', 'Mine'])
})

describe('rules', () => {
  test.for<[object, string, string | undefined]>([
    [{ type: 'clicks', threshold: 0 }, 'threshold', 'The threshold must be at least 1'],
    [{ type: 'clicks', threshold: 101 }, 'threshold', 'A percentage is at most 100'],
    [{ type: 'clicks', threshold: 1.5 }, 'threshold', 'Enter a whole number'],
    [{ type: 'ctr', minimumImpressions: 0 }, 'minimumImpressions', 'Minimum impressions must be at least 1'],
    [{ type: 'ctr', comparison: 'previous_30_days' }, 'comparison', undefined],
    [{ type: 'clicks', minimumImpressions: 5 }, 'minimumImpressions', undefined],
    [{ type: 'position', thresholdUnit: '%' }, 'thresholdUnit', undefined],
    [{ type: 'clicks', kind: 'new_query' }, 'type', undefined],
    [{ type: 'ctr', kind: 'unusual', monitor: 'site' }, 'monitor', undefined],
    [{ type: 'clicks', monitor: 'all_pages' }, 'monitor', undefined],
    [{ type: 'clicks', kind: 'unusual', monitor: 'top_pages' }, 'monitor', undefined],
    [{ type: 'clicks', kind: 'unusual', sensitivity: 'extreme' }, 'sensitivity', undefined],
    [{ type: 'clicks', sensitivity: 'low' }, 'sensitivity', undefined],
    [{ type: 'position', kind: 'new_query', monitor: 'pages' }, 'monitor', undefined],
    [{ type: 'clicks', title: ' ' }, 'title', undefined],
    [{ type: 'clicks', title: 'a\u0000b' }, 'title', undefined],
  ])('%j is refused', async ([rule, field, message], { app }) => {
    const { person } = await owner(app)
    for (const path of ['/api/alert-conditions', '/api/alert-conditions/backtest']) {
      const answer = await person.send('POST', path, rule)
      expect(answer).toMatchObject({ status: 400, body: { field, ...(message && { message }) } })
    }
    expect(await conditions(person)).toHaveLength(5)
  })

  test('are changed, with the same validation, copied and deleted', async ({ app }) => {
    const { person } = await owner(app)
    const made = await create(person, { type: 'impressions', title: 'Impressions spike', monitor: 'site', threshold: 40 })
    expect(made).toMatchObject({ threshold: 40, thresholdUnit: '%', minimumImpressions: 50, isEnabled: true })
    const path = pathOf(made)
    expect(await person.send('PATCH', path, { threshold: 200 })).toMatchObject({ status: 400, body: { field: 'threshold' } })
    expect(await person.send('PATCH', path, {})).toMatchObject({ status: 400 })
    expect(await person.send('PATCH', path, { threshold: 60, isEnabled: false })).toMatchObject({ status: 200, body: { threshold: 60 } })
    const copy = alertCondition.parse((await person.send('POST', `${path}/duplicate`)).body)
    expect(copy).toMatchObject({ title: 'Impressions spike (copy)', threshold: 60, isEnabled: false })
    for (const each of [made, copy]) expect((await person.send('DELETE', pathOf(each))).status).toBe(204)
    expect((await person.send('PATCH', path, { threshold: 5 })).status).toBe(404)
    expect(await conditions(person)).toHaveLength(5)
  })

  test('a copy can be copied, and never has too long a title', async ({ app }) => {
    const { person } = await owner(app)
    const made = await create(person, { type: 'clicks', title: 'x'.repeat(120), monitor: 'site' })
    const copy = alertCondition.parse((await person.send('POST', `${pathOf(made)}/duplicate`)).body)
    expect(copy.title).toBe(`${'x'.repeat(113)} (copy)`)
    expect((await person.send('POST', `${pathOf(copy)}/duplicate`)).status).toBe(201)
  })

  test('a template for each kind of alert can be set up as it is', async ({ app }) => {
    const { person } = await owner(app)
    const templates = (await person.get('/api/alert-templates')).body as { id: string; condition: NewCondition }[]
    expect(templates).toHaveLength(12)
    for (const { condition } of templates) expect((await person.send('POST', '/api/alert-conditions', condition)).status).toBe(201)
    expect(await conditions(person)).toHaveLength(17)
  })

  test.for(['type', 'kind', 'threshold_unit'])(
    'one whose %s is not understood is listed all the same, and can only be deleted',
    async (column, { app }) => {
      const { person } = await owner(app)
      const bad = await create(person, { type: 'clicks', title: 'Bad', monitor: 'site' })
      await (await app.stores()).sql(`UPDATE alert_conditions SET ${column} = 'nonsense' WHERE id = $1`, [bad.id])
      expect((await conditions(person)).find(({ id }) => id === bad.id)).toMatchObject({
        type: 'clicks',
        kind: 'change',
        thresholdUnit: '%',
      })
      const refusal = { status: 409, body: { message: "This rule isn't valid. Delete it and create a new one." } }
      expect(await person.send('PATCH', pathOf(bad), { threshold: 20 })).toMatchObject(refusal)
      expect(await person.send('POST', `${pathOf(bad)}/duplicate`)).toMatchObject(refusal)
      expect((await person.send('DELETE', pathOf(bad))).status).toBe(204)
      expect(await conditions(person)).toHaveLength(5)
    },
  )
})
