import { expect, vi } from 'vitest'
import { runGrant } from '../../src/server/commands/grant.ts'
import { runJob } from '../support/jobs.ts'
import { appTest } from '../support/app-test.ts'
import type { TestApp } from '../support/app.ts'
import { confirmAddress, leaveUnproven, registered } from '../support/people.ts'
import type { Visitor } from '../support/visitor.ts'

// Somebody with a copied cookie renames the account, which needs no proof of identity, to take its name for an account of their own.

const test = appTest({ today: '2026-03-18', demo: false })
const password = 'a-good-password'

const rename = (who: Visitor, username: string) => who.send('PATCH', '/api/user', { username })
const register = (app: TestApp, username: string) =>
  app.visitor().send('POST', '/api/auth/register', { username, email: `${username}@thieves.example`, password })

async function grant(app: TestApp, person: string): Promise<string> {
  const said: string[] = []
  const listen = (text: unknown): boolean => said.push(String(text)) > 0
  const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(listen))
  try {
    await runGrant([person, 'agency'], { DATA_DIR: app.dataDir, DEMO: '0' })
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return said.join('')
}

/** An owner with a confirmed address, and a thief with their cookie. */
async function copied(app: TestApp, name: string) {
  const owner = await registered(app, name, password)
  const address = `${name}@example.test`
  await confirmAddress(app, owner, address)
  await leaveUnproven(app)
  await app.mail.clear()
  const thief = app.visitor()
  for (const [cookie, value] of owner.cookies) thief.cookies.set(cookie, value)
  return { owner, thief, address }
}

test("a name that a thief freed up stays its owner's, and the owner is notified, whatever else the thief does with it", async ({ app }) => {
  const { owner, thief, address } = await copied(app, 'Ann')
  expect((await rename(thief, 'x9')).status).toBe(400)
  expect((await rename(thief, 'x99')).status).toBe(200)
  const notice = await app.mail.mailTo(address, { kind: 'username-changed' })
  expect(notice.text).toContain('The Ranklark account Ann is now called x99.')

  const taken = { status: 409, body: { field: 'username' } }
  expect(await register(app, 'ann')).toMatchObject(taken)
  const another = await registered(app, 'anotherthief')
  expect(await rename(another, 'ANN')).toMatchObject(taken)
  // More changes than names are reserved: the first one stays.
  for (let n = 0; n < 9; n += 1) expect((await rename(thief, `x99-${n}`)).status).toBe(200)
  expect(await rename(thief, 'x99-more')).toMatchObject({ status: 429 })
  const elsewhere = { headers: { 'x-forwarded-for': '198.51.100.7' } }
  for (let n = 10; n < 15; n += 1) expect((await thief.send('PATCH', '/api/user', { username: `x99-${n}` }, elsewhere)).status).toBe(200)
  expect(await rename(another, 'ann')).toMatchObject(taken)
  // A command that is typed for the owner reaches nobody else.
  expect(await grant(app, 'ann')).toContain('There is no account "ann".')

  const fromHome = { headers: { 'x-forwarded-for': '203.0.113.9' } }
  expect(await owner.send('PATCH', '/api/user', { username: 'ann' }, fromHome)).toMatchObject({ status: 200, body: { username: 'ann' } })
  expect((await app.visitor().send('POST', '/api/auth/login', { username: 'ann', password })).status).toBe(200)
  expect(await rename(another, 'ann')).toMatchObject(taken)
})

test(
  "taking it back and giving it up again, or giving it up twice at once, doesn't free it either",
  { tags: ['full'] },
  async ({ app }) => {
    const { thief } = await copied(app, 'Carla')
    const from = (network: string) => ({ headers: { 'x-forwarded-for': network } })
    const renamed = async (username: string, network: string) =>
      (await thief.send('PATCH', '/api/user', { username }, from(network))).status
    for (let n = 0; n < 10; n += 1) expect(await renamed(`carla-${n}`, '198.51.100.20')).toBe(200)
    expect(await renamed('carla', '198.51.100.21')).toBe(200)
    expect(await renamed('carla-more', '198.51.100.21')).toBe(200)
    expect((await register(app, 'carla')).status).toBe(409)

    const { thief: another } = await copied(app, 'Dora')
    expect((await rename(another, 'dora-2')).status).toBe(200)
    await Promise.all([rename(another, 'dora'), rename(another, 'dora-3')])
    expect((await register(app, 'dora')).status).toBe(409)
  },
)

test('a name that was given up can be taken by others after thirty days', async ({ app }) => {
  const owner = await registered(app, 'bea', password)
  expect((await rename(owner, 'Bea')).status).toBe(200)
  const { sql } = await app.stores()
  const held = `SELECT name, reserved_until BETWEEN now() + interval '29 days' AND now() + interval '30 days' AS held
    FROM former_usernames WHERE name = 'bea'`
  expect(await sql(held)).toEqual([])
  expect((await rename(owner, 'beatrice')).status).toBe(200)
  expect(await sql(held)).toEqual([{ name: 'bea', held: true }])
  await sql('UPDATE former_usernames SET reserved_until = now()')
  expect((await register(app, 'bea')).status).toBe(200)
  await runJob(app, 'sweep-verifications')
  expect(await sql('SELECT name FROM former_usernames')).toEqual([])
})
