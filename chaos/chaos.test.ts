import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { unused } from '../test/support/app.ts'
import { fillDirectory } from '../test/support/snapshots.ts'
import { until } from '../test/support/until.ts'
import { createVisitor } from '../test/support/visitor.ts'
import { createDice } from './dice.ts'
import { startEmbedded } from './embedded.ts'
import { back } from './installation.ts'
import { createLedger } from './ledger.ts'
import { type Inhabitant, insist, replaceRules } from './people.ts'

// One kill, and one person who only writes. People with figures, mails and files, killed at any moment: chaos.full.test.ts.

test('kill -9 while somebody writes: what was acknowledged is there when it is back, and what is missing is found', async ({
  onTestFinished,
}) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'ranklark-chaos-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const dataDir = path.join(directory, 'data')
  await mkdir(dataDir)
  await fillDirectory(unused, dataDir)
  const at = await startEmbedded({ directory, dataDir, env: { DEMO: '0', GOOGLE_STATUS_URL: 'off' } })
  onTestFinished(() => at.close())

  const site = 'anna.example'
  const account = 'anna@example.test'
  const anna: Inhabitant = {
    name: 'anna',
    visitor: createVisitor(() => at.url),
    account,
    site,
    sites: [site],
    pages: [`https://${site}/lamps`],
    fallen: new Set(),
    ruleId: '',
    imports: 'anna imported',
  }
  await insist(anna, 'POST', '/api/auth/register', { username: 'anna', email: account, password: 'a-good-password' })
  await at.sql(`UPDATE people SET plan = 'agency', plan_chosen_at = now()`)
  await at.sql(`INSERT INTO properties (user_id, name, kind, monitored) SELECT id, $1, 'imported', true FROM users`, [site])

  await replaceRules(anna)
  await insist(anna, 'POST', '/api/delivery-settings', { frequency: 'instant', digestHour: 8 })

  const ledger = createLedger(anna, createDice(20_260))
  const notes = () => at.sql('SELECT 1 FROM annotations')
  ledger.run()
  await until(notes, ({ length }) => length >= 3)
  expect(at.services[0]?.kill()).toBe(true)
  await back(at)
  const { acknowledged } = ledger.counts()
  await until(
    async () => ledger.counts(),
    (counts) => counts.acknowledged > acknowledged,
  )
  await ledger.pause()
  expect(await ledger.missing()).toEqual([])

  await at.sql('DELETE FROM annotations WHERE id = (SELECT max(id) FROM annotations)')
  expect(await ledger.missing()).toContainEqual(expect.stringMatching(/^"note .* but is not there$/))
})
