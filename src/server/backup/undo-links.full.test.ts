import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { ask, commandsIn, nameIn } from '../../../test/support/installation.ts'
import { confirmAddress, mailedToken, registered } from '../../../test/support/people.ts'
import { noteDatabase } from '../../../test/support/snapshots.ts'
import { databaseUrlOf } from '../../../test/support/stores.ts'
import { runBackup } from '../commands/backup.ts'
import { runRestore } from '../commands/restore.ts'

const test = appTest({ today: '2026-03-18', demo: false })

test("the link that undoes a thief's change of address works again after a restore that brings the change back; others don't", async ({
  app,
}) => {
  const scratch = await mkdtemp(path.join(tmpdir(), 'ranklark-backup-'))
  onTestFinished(() => rm(scratch, { recursive: true, force: true }))
  const commands = commandsIn(scratch)
  const settings = { DATA_DIR: app.dataDir, DATABASE_URL: await databaseUrlOf(app.dataDir) }
  const [address, theirs, next] = ['ann@example.test', 'thief@gmail.com', 'next@gmail.com']
  const owner = await registered(app, 'ann')
  await confirmAddress(app, owner, address)
  await owner.send('PATCH', '/api/user', { email: theirs })
  await confirmAddress(app, owner, theirs)
  const undoing = await mailedToken(app, address, 'address-changed')
  // A third one is waiting for its confirmation.
  await owner.send('PATCH', '/api/user', { email: next })
  const confirming = await mailedToken(app, next, 'confirm-address')
  const made = await commands.here(runBackup, ['--to', 'backups/'], settings)
  expect(made).toMatchObject({ code: 0, err: '' })
  const undo = () => app.visitor().send('POST', '/api/auth/undo-email', { token: undoing })
  expect((await undo()).status).toBe(200)

  await app.restart(async () => {
    await ask(settings.DATABASE_URL, 'DROP SCHEMA public CASCADE; DROP SCHEMA jobs CASCADE; CREATE SCHEMA public').catch(() => [])
    await rm(app.dataDir, { recursive: true })
    expect(await commands.here(runRestore, [nameIn(made.out)], settings)).toMatchObject({ code: 0, err: '' })
    await noteDatabase(app.dataDir, settings.DATABASE_URL)
  })
  const { sql } = await app.stores()
  const stored = () => sql('SELECT email, pending_email FROM users JOIN people ON user_id = id')
  expect(await stored()).toEqual([{ email: theirs, pending_email: null }])
  // The thief has the password and the link from back then; the link gets them no further.
  const thief = app.visitor()
  expect((await thief.send('POST', '/api/auth/login', { username: 'ann', password: 'a-good-password' })).status).toBe(200)
  expect((await thief.send('POST', '/api/auth/verify-email', { token: confirming })).status).toBe(400)
  expect(await undo()).toMatchObject({ status: 200, body: { email: address } })
  expect((await thief.get('/api/user')).status).toBe(401)
  expect(await stored()).toEqual([{ email: address, pending_email: null }])
})
