import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { expectStoredAsAtGoogle, sumsStored } from '../../../test/support/grain-sums.ts'
import { ownerOf, propertyId, refresh } from '../../../test/support/people.ts'
import type { Visitor } from '../../../test/support/visitor.ts'

const site = 'https://broken.example/'
const span = { start: '2026-03-16', end: '2026-03-18' }
let app: TestApp
let owner: Visitor
let factor = 1

beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18', demo: false })
  owner = await ownerOf(app, site, { profile: 'local', days: 3 })
})
afterAll(() => app.close())
afterEach(() => app.google.stopFailing())

const stored = async () => sumsStored((await app.stores()).clickhouse, { property: await propertyId(app, site) }, span)

describe.each(['truncatedBody', 'truncatedClean', 'internal500', 'unavailable503', 'connectionReset', 'notJson'] as const)(
  '%s',
  (error) => {
    test('once in a while: asked again until it is whole', async () => {
      await app.google.revise(site, '2026-03-17', { factor: (factor += 0.1) })
      await app.google.fail({ error, times: 3, after: 2, kind: 'query' })
      expect((await refresh(owner, site)).state).toBe('ok')
      await expectStoredAsAtGoogle(app, site, span)
    })

    test('again and again on one grain: nothing of the days is stored, then all of it', { tags: ['full'] }, async () => {
      const before = await stored()
      await app.google.revise(site, '2026-03-17', { factor: (factor += 0.1) })
      await app.google.fail({ error, times: 1000, kind: 'query', dims: ['date', 'query', 'page'] })
      const status = await refresh(owner, site)
      expect(status.state).toBe('google_unavailable')
      expect(status.message).toContain('tried again by itself')
      expect(await stored()).toEqual(before)

      await app.google.stopFailing()
      expect((await refresh(owner, site)).state).toBe('ok')
      await expectStoredAsAtGoogle(app, site, span)
    })
  },
)
