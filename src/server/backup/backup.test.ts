import { existsSync, statSync } from 'node:fs'
import { copyFile, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { runJob } from '../../../test/support/jobs.ts'
import { ownerOf } from '../../../test/support/people.ts'
import { noteDatabase } from '../../../test/support/snapshots.ts'
import { putAlerts } from '../../../test/support/stored-alerts.ts'
import { databaseUrlOf } from '../../../test/support/stores.ts'
import { apiKeyMade } from '../../contract/api-keys.ts'
import { runBackup } from '../commands/backup.ts'
import { runRestore } from '../commands/restore.ts'
import { ask, commandsIn, nameIn } from '../../../test/support/installation.ts'

// With every route, days arriving meanwhile, kills and a separate PostgreSQL: backup.full.test.ts.

const site = 'https://kept.example/'
const start = '2026-03-15'

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, async ({ app }) => {
    const owner = await ownerOf(app, site, { profile: 'local', days: 4 })
    // The default rules are in the backup, not made by the first reader after it.
    await runJob(app, 'alerts-due')
    const { sql } = await app.stores()
    await sql(`UPDATE people SET plan = 'agency'`)
    const [alert = ''] = await putAlerts(app, site, [{ openedAt: '2026-03-16T09:00:00Z', entity: { kind: 'query', name: 'lamps' } }])
    expect((await owner.send('POST', `/api/alerts/${alert}/verdict`, { verdict: 'noise' })).status).toBe(200)
    expect((await owner.send('POST', '/api/annotations', { date: '2026-03-16', text: 'Moved\t\\ \n', property: site })).status).toBe(201)
    const { key } = apiKeyMade.parse((await owner.send('POST', '/api/keys', { name: 'program', scope: 'read', days: 1 })).body)
    return { ...owner, key, alert }
  })
  .extend('commands', { scope: 'file' }, async ({ app }, { onCleanup }) => {
    const scratch = await mkdtemp(path.join(tmpdir(), 'ranklark-backup-'))
    onCleanup(() => rm(scratch, { recursive: true, force: true }))
    const settings = { DATA_DIR: app.dataDir, DATABASE_URL: await databaseUrlOf(app.dataDir) }
    return { ...commandsIn(scratch), settings }
  })
  // Made by the running server.
  .extend('backup', { scope: 'file' }, async ({ owner, commands }) => {
    expect(owner.cookies.size).toBeGreaterThan(0)
    const { code, out, err } = await commands.here(runBackup, ['--to', 'backups/', '--keep', '1'], commands.settings)
    expect({ code, err, out }).toEqual({ code: 0, err: '', out: expect.stringContaining('1 account, 1 property') })
    return nameIn(out)
  })

test(
  'restored after everything was lost, reports answer as before; with --keep-access sessions and keys work',
  { tags: ['full'] },
  async ({ app, owner, commands, backup }) => {
    const of = `property=${encodeURIComponent(site)}`
    const targets = [
      '/api/user',
      '/api/gsc-properties',
      '/api/annotations',
      ...['metrics', 'keywords', 'pages', 'alerts', 'alert-conditions', 'sync'].map((what) => `/api/${what}?${of}`),
      `/api/alerts/${owner.alert}`,
      `/api/analytics/summary?${of}&days=7`,
      `/api/v1/summary?${of}&days=7`,
    ]
    const answers = async () =>
      Promise.all(
        targets.map(async (target) => {
          const headers = target.startsWith('/api/v1/') ? { authorization: `Bearer ${owner.key}` } : {}
          const { status, body } = await owner.get(target, { headers })
          return { target, status, body }
        }),
      )
    const before = await answers()
    expect(before.map(({ status }) => status)).toEqual(targets.map(() => 200))
    expect(JSON.stringify(before).length).toBeGreaterThan(2_000)
    // An alert keeps its rating, and who gave it.
    const { body: report } = before.find(({ target }) => target.startsWith(`/api/alerts/${owner.alert}`))!
    expect(report).toMatchObject({ verdict: 'noise', timeline: [{ reason: 'condition_met' }, { reason: 'verdict_noise' }] })

    await app.restart(async () => {
      await ask(commands.settings.DATABASE_URL, 'DROP SCHEMA public CASCADE; DROP SCHEMA jobs CASCADE; CREATE SCHEMA public').catch(
        () => [],
      )
      await rm(app.dataDir, { recursive: true })
      expect(await commands.here(runRestore, [backup, '--keep-access'], commands.settings)).toMatchObject({ code: 0, err: '' })
      expect(await commands.here(runRestore, [backup], commands.settings)).toMatchObject({
        code: 1,
        err: expect.stringContaining('not empty'),
      })
      await noteDatabase(app.dataDir, commands.settings.DATABASE_URL)
    })
    expect(statSync(path.join(app.dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(await answers()).toEqual(before)
    await expectStoredAsAtGoogle(app, site, { start, end: '2026-03-16', dataState: 'final' })
    expect(app.logLines.filter((line) => line.includes('sealed'))).toEqual([])
  },
)

test('a damaged backup is refused before anything is written', async ({ backup, commands }) => {
  const damaged = commands.at('damaged.backup')
  await copyFile(backup, damaged)
  const handle = await open(damaged, 'r+')
  await handle.write(Buffer.from([1, 2, 3, 4, 5, 6, 7]), 0, 7, Math.floor(statSync(damaged).size / 3))
  await handle.close()
  const there = { DATA_DIR: commands.at('of-damaged'), DATABASE_URL: '' }
  const { code, err } = await commands.here(runRestore, [damaged], there)
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('is damaged or incomplete') })
  expect(existsSync(there.DATA_DIR)).toBe(false)
})
