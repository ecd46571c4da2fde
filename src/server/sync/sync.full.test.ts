import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { newPerson, select, synced } from '../../../test/support/people.ts'

const site = 'https://history.example/'
const test = appTest({ today: '2026-03-18', demo: false })

test('selecting a property backfills 16 months, every day in every grain as Google has it', async ({ app }) => {
  const owner = await newPerson(app, { sites: { [site]: 'local' } })
  await select(owner, site)
  expect(await synced(owner, site, 300_000)).toMatchObject({ firstDate: '2024-11-18', daysLeft: 0, daysTotal: 486 })
  await expectStoredAsAtGoogle(app, site, { start: '2024-11-18', end: '2026-03-18' })
})
