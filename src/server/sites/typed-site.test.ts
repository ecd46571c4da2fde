import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { newPerson } from '../../../test/support/people.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { user } from '../../contract/user.ts'

const prefix = 'https://www.typed.example/'
const domain = 'sc-domain:whole.example'
let app: TestApp
let person: Visitor
let people = 0

beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18', demo: false })
})
afterAll(() => app.close())
beforeEach(async () => {
  const account = `person${++people}@example.test`
  person = await newPerson(app, { email: account, plan: 'agency' })
  for (const site of [prefix, domain]) await app.google.call('POST', 'sites', { account, site, profile: 'empty' })
  await app.google.call('POST', 'sites', { account, site: 'https://unverified.example/', profile: 'empty' })
  await app.google.permit(account, 'https://unverified.example/', 'siteUnverifiedUser')
  await app.google.stopFailing()
})

const enter = (site: string) => person.send('POST', '/api/gsc-properties/monitor', { sites: [site] })
const listFails = () => app.google.fail({ error: 'internal500', times: 1_000, kind: 'sites' })

test('a site typed as Google has it is monitored and selected, though the list was never read', async () => {
  expect(await enter(prefix)).toMatchObject({ status: 200, body: { user: { selectedProperty: prefix, sitesMonitored: 1 } } })
})

test.each([
  ['https://www.typed.example', prefix],
  ['http://typed.example/', prefix],
  ['https://whole.example/', domain],
  ['https://www.whole.example/shop/', domain],
])('%s is refused, saying that %s would work', async (typed, works) => {
  expect(await enter(typed)).toMatchObject({
    status: 404,
    body: { message: `Google has this site as ${works}. Please enter it in that form.`, field: 'sites' },
  })
  expect(user.parse((await person.get('/api/user')).body).sitesMonitored).toBe(0)
})

test('a site that the account has in no form is refused', async () => {
  const answer = await enter('https://other.example/')
  expect(answer.status).toBe(404)
  expect(answer.body).toMatchObject({ message: expect.stringContaining('Your Google account has no property https://other.example/.') })
})

test('a site that was never verified is refused', async () => {
  expect(await enter('https://unverified.example/')).toMatchObject({ status: 403, body: { field: 'sites' } })
})

test('while Google does not answer, that is what is said', async () => {
  await listFails()
  expect(await enter(prefix)).toMatchObject({ status: 502, body: { field: 'sites' } })
})

test("another person's site stays theirs", async () => {
  await newPerson(app, { email: `other${people}@example.test`, sites: { 'https://theirs.example/': 'empty' } })
  expect((await enter('https://theirs.example/')).status).toBe(404)
})
