import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { expectStoredAsAtGoogle, sumsStored } from '../../../test/support/grain-sums.ts'
import { ownerOf, propertyId, refresh } from '../../../test/support/people.ts'
import { inFull } from '../../../test/support/in-full.ts'

const site = 'https://broken.example/'
const span = { start: '2026-03-16', end: '2026-03-18' }
let factor = 1

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, ({ app }) => ownerOf(app, site, { profile: 'local', days: 3 }))
  .extend(
    'stored',
    { scope: 'file' },
    ({ app }) =>
      async () =>
        sumsStored((await app.stores()).clickhouse, { property: await propertyId(app, site) }, span),
  )
test.afterEach(({ app }) => app.google.stopFailing())

describe.each(['truncatedBody', 'truncatedClean', ...inFull(['internal500', 'unavailable503', 'connectionReset', 'notJson'])] as const)(
  '%s',
  (error) => {
    test('once in a while: retried until it is complete', async ({ app, owner }) => {
      await app.google.revise(site, '2026-03-17', { factor: (factor += 0.1) })
      await app.google.fail({ error, times: 3, after: 2, kind: 'query' })
      expect((await refresh(owner, site)).state).toBe('ok')
      await expectStoredAsAtGoogle(app, site, span)
    })

    test('repeatedly on one grain: nothing of the days is stored, then all of it', { tags: ['full'] }, async ({ app, owner, stored }) => {
      const before = await stored()
      await app.google.revise(site, '2026-03-17', { factor: (factor += 0.1) })
      await app.google.fail({ error, times: 1000, kind: 'query', dims: ['date', 'query', 'page'] })
      const status = await refresh(owner, site)
      expect(status.state).toBe('google_unavailable')
      expect(status.message).toContain('retry automatically')
      expect(await stored()).toEqual(before)

      await app.google.stopFailing()
      expect((await refresh(owner, site)).state).toBe('ok')
      await expectStoredAsAtGoogle(app, site, span)
    })
  },
)
