import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { newPerson, select, shortenHistory } from '../../../test/support/people.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { gscProperties } from '../../contract/sites.ts'
import { user } from '../../contract/user.ts'

const test = appTest({ today: '2026-03-18', demo: false })
const mine = 'https://mine.example/'
const locked = 'sc-domain:locked.example'
const message = `Your Google account has no access to ${locked}. Verify ownership in Search Console or ask an owner to add you, then try again.`

let people = 0
/** Somebody whose account lists a site it can't read. */
async function newcomer(app: TestApp) {
  const email = `person${++people}@example.test`
  const person = await newPerson(app, { email, plan: 'pro', sites: { [mine]: 'empty', [locked]: 'empty' } })
  // Nothing here needs stored days.
  for (const site of [mine, locked]) await shortenHistory(app, site, 1)
  const permit = (permission: string | null) => app.google.permit(email, locked, permission)
  await permit('siteUnverifiedUser')
  return { person, permit }
}
const monitored = async (person: Visitor) => {
  const { selectedProperty, sitesMonitored } = user.parse((await person.get('/api/user')).body)
  return { selectedProperty, sitesMonitored }
}
const choose = (person: Visitor, ...sites: string[]) => person.send('POST', '/api/gsc-properties/monitor', { sites })

test.for([
  ['chosen in onboarding', 'sites', 'POST', '/api/gsc-properties/monitor', { sites: [mine, locked] }],
  ['selected', 'selectedProperty', 'POST', '/api/gsc-properties/select', { selectedProperty: locked }],
  ['selected in the profile', 'selectedProperty', 'PATCH', '/api/user', { selectedProperty: locked }],
] as const)(
  'a site without access is refused when it is %s: 403, with a message, and nothing changes',
  async ([, field, method, path, body], { app }) => {
    const { person } = await newcomer(app)
    expect(await person.send(method, path, body)).toMatchObject({ status: 403, body: { message, field } })
    expect(await monitored(person)).toEqual({ selectedProperty: null, sitesMonitored: 0 })
  },
)

test('access granted or revoked between the list and the selection counts', async ({ app }) => {
  const { person, permit } = await newcomer(app)
  const listed = async () => gscProperties.parse((await person.get('/api/gsc-properties')).body).find(({ name }) => name === locked)
  expect((await listed())?.permissionLevel).toBe('siteUnverifiedUser')
  await permit('siteRestrictedUser')
  expect(await choose(person, locked)).toMatchObject({ status: 200, body: { user: { selectedProperty: locked } } })
  await choose(person, mine)
  expect((await listed())?.permissionLevel).toBe('siteRestrictedUser')
  await permit(null)
  expect(await choose(person, locked)).toMatchObject({ status: 403, body: { message } })
  expect(await monitored(person)).toEqual({ selectedProperty: mine, sitesMonitored: 1 })
})

test('a monitored site that has lost access can still be viewed', async ({ app }) => {
  const { person, permit } = await newcomer(app)
  await permit('siteOwner')
  await choose(person, locked, mine)
  await select(person, mine)
  await permit(null)
  await person.get('/api/gsc-properties')
  await select(person, locked)
  expect(await monitored(person)).toEqual({ selectedProperty: locked, sitesMonitored: 2 })
})

test("while Google doesn't answer, its last answer counts", async ({ app }) => {
  const { person } = await newcomer(app)
  await person.get('/api/gsc-properties')
  await app.google.fail({ error: 'internal500', times: 1_000, kind: 'sites' })
  const answers = [await choose(person, locked), await choose(person, mine)]
  await app.google.stopFailing()
  expect(answers.map(({ status }) => status)).toEqual([502, 200])
  expect(await monitored(person)).toEqual({ selectedProperty: mine, sitesMonitored: 1 })
})

test(
  'requesting the list many times at once reaches Google only a few times, and is limited per account',
  { tags: ['full'] },
  async ({ app }) => {
    const { person } = await newcomer(app)
    await app.google.forgetRequests()
    await app.google.delay(300)
    const nope = { selectedProperty: 'https://nope.example/' }
    const answers = await Promise.all(Array.from({ length: 30 }, () => person.send('PATCH', '/api/user', nope)))
    await app.google.delay(0)
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 404))
    expect((await app.google.requests()).filter(({ kind }) => kind === 'sites').length).toBeLessThan(10)
    const more = await Promise.all(Array.from({ length: 70 }, () => person.send('PATCH', '/api/user', { username: 'same' })))
    expect(more.some(({ status }) => status === 429)).toBe(true)
  },
)
