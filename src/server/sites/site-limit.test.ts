import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { newPerson } from '../../../test/support/people.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { gscProperties } from '../../contract/sites.ts'
import { user } from '../../contract/user.ts'

const names = Array.from({ length: 7 }, (_, i) => `https://site${i}.example/`)

const test = appTest({ today: '2026-03-18', demo: false }).extend('withoutData', { scope: 'file', auto: true }, ({ app }) =>
  // Nothing here needs data: every sync stops at its first request.
  app.google.fail({ error: 'loadQuota', times: 100_000, kind: 'query' }),
)

const sitesFor = (owner: string) => Object.fromEntries(names.map((name) => [name.replace('site', owner), 'empty' as const]))
const choose = (person: Visitor, site: string) => person.send('POST', '/api/gsc-properties/select', { selectedProperty: site })
const me = async (person: Visitor) => user.parse((await person.get('/api/user')).body)

test('Free allows one site: a second one is refused in the words of the specification', async ({ app }) => {
  const person = await newPerson(app, { email: 'free@example.test', sites: sitesFor('free') })
  const [first, second] = Object.keys(sitesFor('free'))
  const answer = await choose(person, first!)
  expect(answer).toMatchObject({ status: 200, body: { user: { selectedProperty: first, sitesMonitored: 1, siteLimit: 1 } } })
  expect(await choose(person, second!)).toMatchObject({ status: 403, body: { message: 'Your Free plan allows up to 1 site(s).' } })
  expect(await me(person)).toMatchObject({ selectedProperty: first, sitesMonitored: 1 })
  expect((await choose(person, first!)).status).toBe(200)
})

test('Pro allows five', async ({ app }) => {
  const person = await newPerson(app, { email: 'pro@example.test', sites: sitesFor('pro'), plan: 'pro' })
  const all = Object.keys(sitesFor('pro'))
  const tooMany = await person.send('POST', '/api/gsc-properties/monitor', { sites: all.slice(0, 6) })
  expect(tooMany).toMatchObject({ status: 403, body: { message: 'Your Pro plan allows up to 5 site(s).' } })
  expect((await me(person)).sitesMonitored).toBe(0)

  const five = await person.send('POST', '/api/gsc-properties/monitor', { sites: all.slice(0, 5) })
  expect(five).toMatchObject({ status: 200, body: { user: { selectedProperty: all[0], sitesMonitored: 5 } } })
})

test('monitoring other sites removes those left out', async ({ app }) => {
  const person = await newPerson(app, { email: 'swap@example.test', sites: sitesFor('swap') })
  const [first, second] = Object.keys(sitesFor('swap'))
  await choose(person, first!)
  expect((await person.send('POST', '/api/gsc-properties/monitor', { sites: [second] })).status).toBe(200)
  const list = gscProperties.parse((await person.get('/api/gsc-properties')).body)
  expect(list.filter((property) => property.monitored).map((property) => property.name)).toEqual([second])
})

test("concurrent requests can't exceed the limit together", async ({ app }) => {
  const person = await newPerson(app, { email: 'race@example.test', sites: sitesFor('race') })
  const answers = await Promise.all(Object.keys(sitesFor('race')).map((site) => choose(person, site)))
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  expect(answers.filter((answer) => answer.status === 403)).toHaveLength(names.length - 1)
  expect((await me(person)).sitesMonitored).toBe(1)
})

test('at least one site has to be selected', async ({ app }) => {
  const person = await newPerson(app, { email: 'none@example.test', sites: sitesFor('none') })
  const answer = await person.send('POST', '/api/gsc-properties/monitor', { sites: [] })
  expect(answer).toMatchObject({ status: 400, body: { message: 'Please select at least one site to monitor.', field: 'sites' } })
})

test('without a connected Google account the list of properties is empty', async ({ app }) => {
  const person = await newPerson(app, { email: 'bare@example.test', sites: sitesFor('bare') })
  await person.send('PATCH', '/api/user', { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null })
  expect(await person.get('/api/gsc-properties')).toMatchObject({ status: 200, body: [] })
})

test("if Google doesn't answer for the list, it is named as the cause: 502", async ({ app }) => {
  const person = await newPerson(app, { email: 'gone@example.test', sites: sitesFor('gone') })
  await app.google.fail({ error: 'apiDisabled', times: 1, kind: 'sites' })
  expect(await person.get('/api/gsc-properties')).toMatchObject({ status: 502, body: { message: expect.stringContaining('disabled') } })
  await app.google.call('POST', 'tokens/revoke', { account: 'gone@example.test' })
  expect(await person.get('/api/gsc-properties')).toMatchObject({
    status: 502,
    body: { message: expect.stringContaining('Reconnect your Google account') },
  })
})
