import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SlackStandIn, startSlack } from '../../../emulators/slack/server.ts'
import { sendJob } from '../../../test/support/jobs.ts'
import { createSlackControl, type SlackControl } from '../../../test/support/message-controls.ts'
import { type ServerProcess, startServerProcess } from '../../../test/support/server-process.ts'
import { openSql, type Sql } from '../../../test/support/stores.ts'
import { until } from '../../../test/support/until.ts'
import { createVisitor, type Visitor } from '../../../test/support/visitor.ts'

// kill -9 of the server at the two moments that matter: before a message is sent, and before it is marked as sent.

let slack: SlackStandIn
let workspace: SlackControl
let dataDir: string
let server: ServerProcess
let person: Visitor
let opened: { sql: Sql; close(): Promise<void> }

const start = (): Promise<ServerProcess> => startServerProcess({ DATA_DIR: dataDir, DEMO: '0', SLACK_URL: slack.url })
const states = async () => (await opened.sql<{ state: string }>('SELECT state FROM notifications ORDER BY id')).map(({ state }) => state)

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-kill-'))
  slack = await startSlack()
  workspace = createSlackControl(slack.url)
  server = await start()
  person = createVisitor(() => server.url)
  await person.send('POST', '/api/auth/register', { username: 'owner', email: 'owner@example.test', password: 'a-good-password' })
  opened = await openSql(dataDir)
  await opened.sql(`UPDATE people SET plan = 'agency'`)
  const answer = await person.send('PUT', '/api/delivery-channels/slack', { webhookUrl: workspace.hookUrl() })
  expect(answer.status).toBe(200)
})
afterAll(async () => {
  await opened.close()
  await server.stop()
  await slack.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** What the server writes together with an alert, committed: from here on it has to arrive. */
const commit = () =>
  opened.sql(
    `INSERT INTO notifications (user_id, channel, kind, message, next_attempt_at, give_up_at, created_at)
     SELECT id, 'slack', 'alerts', '{"kind":"test","property":null}', now(), now() + interval '1 day', now() FROM users`,
  )
/** The pool met the end of the database with the server that ran it. */
async function restart(): Promise<void> {
  await opened.close()
  server = await start()
  opened = await openSql(dataDir)
}
const look = () => sendJob(dataDir, 'delivery-due')

test('between commit and send: it is sent by the server that comes back', { timeout: 120_000 }, async () => {
  await commit()
  await server.kill()
  expect(await workspace.messages()).toEqual([])
  await restart()
  await look()
  await until(states, (all) => all.every((state) => state === 'sent'), 90_000)
  expect(await workspace.messages()).toHaveLength(1)
})

test('between send and mark: it may come twice, and is never marked without having been sent', { timeout: 120_000 }, async () => {
  await workspace.clear()
  // The message arrives; the answer to it does not, before the server is gone.
  await workspace.fail({ hang: true, executed: true })
  await commit()
  await look()
  await workspace.message()
  await server.kill()
  await restart()
  await look()
  await until(states, (all) => all.every((state) => state === 'sent'), 90_000)
  expect(await workspace.messages()).toHaveLength(2)
  // Nothing was noted of the attempt that was cut off: the one that is counted is that of the server that came back.
  expect(await opened.sql('SELECT attempts FROM notifications ORDER BY id')).toEqual([{ attempts: 1 }, { attempts: 1 }])
})
