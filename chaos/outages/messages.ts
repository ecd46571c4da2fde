import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/support/until.ts'
import { answerMs } from '../stand-ins.ts'
import { findSomething } from '../activities.ts'
import type { Stage } from './stage.ts'

const lastingMs = 20_000
const fault = { times: 1_000_000 }

/** Mail, Slack, text messages and webhooks are all down at once for a while, then back. */
export async function messagesDown(stage: Stage): Promise<void> {
  const { journal, society } = stage
  const held = await society.whileBroken(() => whileDown(stage))
  const ended = performance.now()
  await society.lookAtEverything()
  const seconds = Math.round((performance.now() - ended) / 1000)
  journal.note(
    `Mail, Slack, SMS and webhooks down for ${lastingMs / 1000} s: ${held.length} messages waited with the reason recorded; all were sent within ${seconds} s of the end.`,
  )
}

/** An interrupted webhook has arrived and will come again: the sender can't know. */
async function whileDown(stage: Stage): Promise<{ channel: string; detail: string | null }[]> {
  const { at, world, journal, society } = stage
  await world.mail.setListening(false)
  await world.slack.fail({ ...fault, status: 503 })
  await world.sms.fail({ ...fault, code: 20503 })
  await world.webhook.fail({ ...fault, connectionReset: true })
  const begun = Date.now()
  society.beBusy()
  for (const person of society.people) await findSomething(stage, person)
  const waiting = () =>
    at.sql<{ channel: string; detail: string | null }>("SELECT channel, detail FROM notifications WHERE state = 'waiting'")
  const held = await until(
    waiting,
    (rows) => new Set(rows.flatMap(({ channel, detail }) => (detail === null ? [] : [channel]))).size >= 3,
    90_000,
  )
  await sleep(Math.max(0, begun + lastingMs - Date.now()))
  const sent = await at.sql('SELECT 1 FROM notifications WHERE sent_at > to_timestamp($1::float8 / 1000)', [begun + 1_000])
  if (sent.length > 0) journal.found(`${sent.length} messages were marked sent while nothing accepted messages`)
  if ((await fetch(`${at.url}/readyz`)).status !== 200)
    journal.found('the server was not ready because mail, Slack, SMS and webhooks were down')
  await world.mail.setListening(true)
  for (const each of [world.slack, world.sms, world.webhook]) {
    await each.stopFailing()
    await each.call('PUT', '_control/delay', { ms: answerMs })
  }
  return held
}
