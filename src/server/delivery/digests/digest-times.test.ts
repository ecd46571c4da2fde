import { expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import type { TestApp } from '../../../../test/support/app.ts'
import { runJob } from '../../../../test/support/jobs.ts'
import { ownerAtOnce } from '../../../../test/support/stored-history.ts'
import type { Visitor } from '../../../../test/support/visitor.ts'

// Digests of people who change their times: none gets lost, and none is sent twice (OPEN-POINTS 17).

// A Wednesday, noon in California.
const today = '2026-03-18'
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
let people = 0

const test = appTest({ today, demo: false, logLevel: 'silent' })
test.beforeEach(async ({ app }) => {
  app.google.setNow(today)
  await app.mail.clear()
})

/** Somebody on Free with a few days of a site, enough for a digest. */
async function reader(app: TestApp): Promise<{ owner: Visitor; email: string }> {
  const name = `reader${++people}`
  const email = `${name}@example.test`
  return { email, owner: await ownerAtOnce(app, `https://${name}.example/`, { profile: 'local', days: 5, email }) }
}
const deliver = (app: TestApp) => runJob(app, 'delivery-due')
const digests = async (app: TestApp, to: string) => (await app.mail.mails(to)).filter(({ kind }) => kind === 'digest').length
/** Saves a setting; the first time all of them. */
async function save(owner: Visitor, settings: object): Promise<void> {
  const path = '/api/delivery-settings'
  const changed = await owner.send('PATCH', path, settings)
  const saved = changed.status === 404 ? await owner.send('POST', path, settings) : changed
  if (saved.status >= 300) throw new Error(JSON.stringify(saved.body))
}
const until = (app: TestApp, moment: string) => app.google.advance(Date.parse(moment) - app.google.now().getTime())

test('a due digest is sent even if a setting is saved before it is planned', async ({ app }) => {
  const { owner, email } = await reader(app)
  await deliver(app)
  until(app, '2026-03-23T08:00:00Z')
  await save(owner, { positiveAlerts: true })
  await deliver(app)
  expect(await digests(app, email)).toBe(1)
})

test("a digest that couldn't be composed is sent even if a setting is saved before the retry", { tags: ['full'] }, async ({ app }) => {
  const { owner, email } = await reader(app)
  await deliver(app)
  const { sql } = await app.stores()
  const ofPerson = 'user_id = (SELECT id FROM users WHERE email = $1)'
  until(app, '2026-03-23T08:00:00Z')
  // For a moment nothing is known about them.
  const [person] = await sql<{ plan: string; at: Date }>(`DELETE FROM people WHERE ${ofPerson} RETURNING plan, plan_chosen_at AS at`, [
    email,
  ])
  await deliver(app)
  expect(await digests(app, email)).toBe(0)
  await sql('INSERT INTO people (user_id, plan, plan_chosen_at) SELECT id, $2, $3 FROM users WHERE email = $1', [
    email,
    person!.plan,
    person!.at,
  ])
  app.google.advance(5 * minuteMs)
  await save(owner, { positiveAlerts: true })
  await deliver(app)
  expect(await digests(app, email)).toBe(0)
  app.google.advance(5 * minuteMs)
  await deliver(app)
  expect(await digests(app, email)).toBe(1)
  // The next one is based on when it was due, not on when it came.
  until(app, '2026-03-30T08:00:00Z')
  await deliver(app)
  expect(await digests(app, email)).toBe(2)
})

test(
  'changing the weekday causes neither a second digest within five days nor almost two weeks without one',
  { tags: ['full'] },
  async ({ app }) => {
    const { owner, email } = await reader(app)
    await deliver(app)
    until(app, '2026-03-23T08:00:00Z')
    await deliver(app)
    expect(await digests(app, email)).toBe(1)
    for (let day = 2; day <= 5; day += 1) {
      await save(owner, { digestWeekday: day })
      app.google.advance(dayMs)
      await deliver(app)
      expect(await digests(app, email)).toBe(1)
    }
    await save(owner, { digestWeekday: 7 })
    until(app, '2026-03-29T07:59:00Z')
    await deliver(app)
    expect(await digests(app, email)).toBe(1)
    app.google.advance(minuteMs)
    await deliver(app)
    expect(await digests(app, email)).toBe(2)
  },
)

test("a weekly digest that is days late isn't followed by another one right away", { tags: ['full'] }, async ({ app }) => {
  const { email } = await reader(app)
  await deliver(app)
  // Monday's, from a server that was down until Saturday.
  until(app, '2026-03-28T12:00:00Z')
  await deliver(app)
  expect(await digests(app, email)).toBe(1)
  until(app, '2026-03-30T08:00:00Z')
  await deliver(app)
  expect(await digests(app, email)).toBe(1)
  until(app, '2026-04-06T08:00:00Z')
  await deliver(app)
  expect(await digests(app, email)).toBe(2)
})

test("people who haven't had one yet get the first on the day they choose", { tags: ['full'] }, async ({ app }) => {
  const { owner, email } = await reader(app)
  await deliver(app)
  await save(owner, { digestWeekday: 4 })
  until(app, '2026-03-19T08:00:00Z')
  await deliver(app)
  expect(await digests(app, email)).toBe(1)
})
