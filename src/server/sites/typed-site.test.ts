import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { newPerson } from '../../../test/support/people.ts'
import { user } from '../../contract/user.ts'

const prefix = 'https://www.typed.example/'
const domain = 'sc-domain:whole.example'
let people = 0

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('person', async ({ app }) => {
    const account = `person${++people}@example.test`
    const person = await newPerson(app, { email: account, plan: 'agency' })
    for (const site of [prefix, domain]) await app.google.call('POST', 'sites', { account, site, profile: 'empty' })
    await app.google.call('POST', 'sites', { account, site: 'https://unverified.example/', profile: 'empty' })
    await app.google.permit(account, 'https://unverified.example/', 'siteUnverifiedUser')
    await app.google.stopFailing()
    return person
  })
  .extend(
    'enter',
    ({ person }) =>
      (site: string) =>
        person.send('POST', '/api/gsc-properties/monitor', { sites: [site] }),
  )

const listFails = (app: TestApp) => app.google.fail({ error: 'internal500', times: 1_000, kind: 'sites' })

test('a site typed as Google spells it is monitored and selected, though the list was never read', async ({ app, enter }) => {
  // Nothing here needs stored days.
  await app.google.fail({ error: 'loadQuota', times: 1_000, kind: 'query' })
  expect(await enter(prefix)).toMatchObject({ status: 200, body: { user: { selectedProperty: prefix, sitesMonitored: 1 } } })
})

test.for([
  ['https://www.typed.example', prefix],
  ['http://typed.example/', prefix],
  ['https://whole.example/', domain],
  ['https://www.whole.example/shop/', domain],
] as const)('%s is refused, saying that %s would work', async ([typed, works], { person, enter }) => {
  expect(await enter(typed)).toMatchObject({
    status: 404,
    body: { message: `Search Console lists this site as ${works}. Please enter it that way.`, field: 'sites' },
  })
  expect(user.parse((await person.get('/api/user')).body).sitesMonitored).toBe(0)
})

test('a site that the account has in no form is refused', async ({ enter }) => {
  const answer = await enter('https://other.example/')
  expect(answer.status).toBe(404)
  expect(answer.body).toMatchObject({ message: expect.stringContaining('Your Google account has no property https://other.example/.') })
})

test('so is one with a lone surrogate in it', async ({ enter }) => {
  expect(await enter('https://half.example/\udfff')).toMatchObject({ status: 404, body: { field: 'sites' } })
})

test('an unverified site is refused', async ({ enter }) => {
  expect(await enter('https://unverified.example/')).toMatchObject({ status: 403, body: { field: 'sites' } })
})

test("while Google doesn't answer, the message says so", async ({ app, enter }) => {
  await listFails(app)
  expect(await enter(prefix)).toMatchObject({ status: 502, body: { field: 'sites' } })
})

test("another user's site stays theirs", async ({ app, enter }) => {
  await newPerson(app, { email: `other${people}@example.test`, sites: { 'https://theirs.example/': 'empty' } })
  expect((await enter('https://theirs.example/')).status).toBe(404)
})
