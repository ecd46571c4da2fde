import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { sites, type TestApp } from '../../../test/support/app.ts'
import { user as userSchema } from '../../contract/user.ts'

const test = appTest({ today: '2026-11-10' })

const resetCommand = async (app: TestApp): Promise<number | null> => {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../commands/demo-reset.ts')], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: app.dataDir, DEMO: '1' },
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

test('the demo account is on the Pro plan and connected to three sample properties', async ({ app }) => {
  const visitor = await app.demo()
  const person = userSchema.parse((await visitor.get('/api/user')).body)
  expect(person).toMatchObject({
    plan: 'pro',
    siteLimit: 5,
    sitesMonitored: 3,
    selectedProperty: sites.shop,
    accessToken: 'redacted',
    demo: true,
  })
  expect(person.gscProperties?.map((property) => property.name).sort()).toEqual(Object.values(sites).sort())
})

test('npm run demo:reset restores its first state while the server runs', { tags: ['full'] }, async ({ app }) => {
  const visitor = await app.demo()
  await visitor.send('PATCH', '/api/user', { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null })
  expect(userSchema.parse((await visitor.get('/api/user')).body).selectedProperty).toBeNull()
  expect(await resetCommand(app)).toBe(0)
  expect((await visitor.get('/api/user')).status).toBe(401)
  expect(userSchema.parse((await (await app.demo()).get('/api/user')).body)).toMatchObject({
    selectedProperty: sites.shop,
    sitesMonitored: 3,
  })
})

test("a stranger can't reset the demo account over the network", async ({ app }) => {
  expect((await app.visitor().send('POST', '/api/internal/demo-reset')).status).toBe(401)
  expect((await (await app.demo()).send('POST', '/api/internal/demo-reset')).status).toBe(401)
})
