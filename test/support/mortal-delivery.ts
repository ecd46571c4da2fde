import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startSlack } from '../../emulators/slack/server.ts'
import { unused } from './app.ts'
import { sendJob } from './jobs.ts'
import { createSlackControl, type SlackControl } from './message-controls.ts'
import { startServerProcess } from './server-process.ts'
import { fillDirectory } from './snapshots.ts'
import { openSql, type Sql } from './stores.ts'
import { until } from './until.ts'
import { createVisitor } from './visitor.ts'

/** A server that can be killed while it sends messages to one user through Slack. */
export type MortalDelivery = {
  workspace: SlackControl
  /** The database of the server that is running now. */
  sql: Sql
  /** What the server writes along with an alert, committed: from here on it has to arrive. */
  commit(): Promise<unknown>
  /** Runs the server's every-minute check for due work, now. */
  look(): Promise<void>
  kill(): Promise<void>
  /** After a kill: on what it left. */
  startAgain(): Promise<void>
  /** Waits until nothing is left to send. */
  allSent(): Promise<unknown>
  close(): Promise<void>
}

export async function startMortalDelivery(): Promise<MortalDelivery> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-kill-'))
  await fillDirectory(unused, dataDir)
  const slack = await startSlack()
  const workspace = createSlackControl(slack.url)
  const start = () => startServerProcess({ DATA_DIR: dataDir, DEMO: '0', SLACK_URL: slack.url })
  let server = await start()
  let opened = await openSql(dataDir)
  const sql: Sql = (text, values) => opened.sql(text, values)
  const person = createVisitor(() => server.url)
  await person.send('POST', '/api/auth/register', { username: 'owner', email: 'owner@example.test', password: 'a-good-password' })
  await sql(`UPDATE people SET plan = 'agency'`)
  const connected = await person.send('PUT', '/api/delivery-channels/slack', { webhookUrl: workspace.hookUrl() })
  if (connected.status !== 200) throw new Error(`Slack could not be connected: ${JSON.stringify(connected.body)}`)
  return {
    workspace,
    sql,
    commit: () =>
      sql(
        `INSERT INTO notifications (user_id, channel, kind, message, next_attempt_at, give_up_at, created_at)
         SELECT id, 'slack', 'alerts', '{"kind":"test","property":null}', now(), now() + interval '1 day', now() FROM users`,
      ),
    look: () => sendJob(dataDir, 'delivery-due'),
    kill: () => server.kill(),
    async startAgain() {
      // The pool lost its database along with the server that ran it.
      await opened.close()
      server = await start()
      opened = await openSql(dataDir)
    },
    allSent: () =>
      until(
        () => sql<{ state: string }>('SELECT state FROM notifications'),
        (all) => all.every(({ state }) => state === 'sent'),
      ),
    async close() {
      await opened.close()
      await server.stop()
      await slack.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
