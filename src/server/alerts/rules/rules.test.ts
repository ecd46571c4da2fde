import { describe, expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import type { TestApp } from '../../../../test/support/app.ts'
import { newPerson, propertyId } from '../../../../test/support/people.ts'
import { watch } from '../../../../test/support/stored-history.ts'
import type { Visitor } from '../../../../test/support/visitor.ts'
import { alertCondition, alertConditions, type NewCondition } from '../../../contract/alerts/conditions.ts'

// A property's rules: created, changed, copied and deleted.

const test = appTest({ today: '2026-03-18', demo: false })
let people = 0

/** A user with a property that has nothing stored yet. */
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

test('the default ones exist before any other, even if nobody has opened them', async ({ app }) => {
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
    [{ type: 'clicks', threshold: 101 }, 'threshold', "A percentage can't be over 100"],
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
    [{ type: 'clicks', title: '\u0000' }, 'title', undefined],
    [{ type: 'clicks', targets: Array(51).fill('x'.repeat(1_000)) }, 'targets', 'The list can have up to 50,000 characters in total'],
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

  test('a copy can be copied, and its title never gets too long', async ({ app }) => {
    const { person } = await owner(app)
    const made = await create(person, { type: 'clicks', title: 'x'.repeat(120), monitor: 'site' })
    const copy = alertCondition.parse((await person.send('POST', `${pathOf(made)}/duplicate`)).body)
    expect(copy.title).toBe(`${'x'.repeat(113)} (copy)`)
    expect((await person.send('POST', `${pathOf(copy)}/duplicate`)).status).toBe(201)
  })

  test('a template for each kind of alert can be set up as is', async ({ app }) => {
    const { person } = await owner(app)
    const templates = (await person.get('/api/alert-templates')).body as { id: string; condition: NewCondition }[]
    expect(templates).toHaveLength(12)
    for (const { condition } of templates) expect((await person.send('POST', '/api/alert-conditions', condition)).status).toBe(201)
    expect(await conditions(person)).toHaveLength(17)
  })

  test.for(['type', 'kind', 'threshold_unit'])(
    'one with an unknown %s is still listed, but can only be deleted',
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

test('a rule is about web search unless another search type is given, which has to fit', async ({ app }) => {
  const { person } = await owner(app)
  const rule = await create(person, { type: 'clicks', title: 'Clicks', monitor: 'top_queries' })
  expect(rule.searchType).toBe('web')
  const refusal = {
    status: 400,
    body: {
      field: 'searchType',
      message: 'Discover has no data for keywords. Monitor pages or the whole site, or choose another search type.',
    },
  }
  expect(await person.send('PATCH', pathOf(rule), { searchType: 'discover' })).toMatchObject(refusal)
  expect(await person.send('PATCH', pathOf(rule), { searchType: 'discover', monitor: 'site' })).toMatchObject({
    status: 200,
    body: { searchType: 'discover', monitor: 'site' },
  })
  expect(await person.send('PATCH', pathOf(rule), { monitor: 'queries', targets: ['lamp'] })).toMatchObject(refusal)
  expect((await conditions(person)).at(-1)).toMatchObject({ searchType: 'discover', monitor: 'site' })
  expect(await person.send('POST', '/api/alert-conditions', { type: 'clicks', title: 'One', searchType: 'shopping' })).toMatchObject({
    status: 400,
    body: { field: 'searchType' },
  })
})

describe('a segment', () => {
  const save = async (person: Visitor, name: string, content: string) =>
    ((await person.send('POST', '/api/explore/saved', { kind: 'segment', name, content })).body as { id: string }).id

  test('can’t be deleted while a rule is limited to it', async ({ app }) => {
    const { person, site } = await owner(app)
    const id = await save(person, 'Blog', 'page contains blog')
    const rule = await create(person, { type: 'clicks', title: 'Blog falls', monitor: 'top_pages', segment: id })
    expect(rule).toMatchObject({ segment: id, segmentName: 'Blog' })
    const copy = alertCondition.parse((await person.send('POST', `${pathOf(rule)}/duplicate`)).body)
    expect(copy).toMatchObject({ segment: id, segmentName: 'Blog' })
    expect((await person.send('DELETE', pathOf(copy))).status).toBe(204)
    expect(await person.send('DELETE', `/api/explore/saved/${id}`)).toMatchObject({
      status: 409,
      body: { message: `This segment is used by the rule “Blog falls” for ${site}. Choose another segment in those places first.` },
    })
    expect((await conditions(person)).at(-1)).toMatchObject({ segment: id, segmentName: 'Blog' })
    expect(await person.send('PATCH', pathOf(rule), { segment: null })).toMatchObject({ status: 200 })
    expect((await person.send('DELETE', `/api/explore/saved/${id}`)).status).toBe(204)
  })

  test('of another account is refused as if it didn’t exist', async ({ app }) => {
    const [{ person }, { person: stranger }] = [await owner(app), await owner(app)]
    const id = await save(stranger, 'Theirs', 'page contains secret')
    const refusal = { status: 404, body: { message: 'This segment doesn’t exist.', field: 'segment' } }
    const limited = { type: 'clicks', title: 'Mine', monitor: 'top_pages', segment: id }
    expect(await person.send('POST', '/api/alert-conditions', limited)).toMatchObject(refusal)
    expect(await person.send('POST', '/api/alert-conditions/backtest', limited)).toMatchObject(refusal)
    const rule = await create(person, { type: 'clicks', title: 'Mine', monitor: 'top_pages' })
    expect(await person.send('PATCH', pathOf(rule), { segment: id })).toMatchObject(refusal)
    expect(JSON.stringify(await conditions(person))).not.toContain('Theirs')
  })
})
