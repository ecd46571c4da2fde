import { isSilentEnd } from '../../src/core/alerting/ending.ts'
import type { ChannelName } from '../../src/contract/delivery/channels.ts'
import { itemsIn, message as messageSchema, type Message } from '../../src/server/delivery/message.ts'
import { slackMessage } from '../../src/server/delivery/slack/blocks.ts'
import { smsText } from '../../src/server/delivery/sms/sms-text.ts'
import type { Sql } from '../../test/support/stores.ts'
import { type Mailroom, type Receipt, slackFingerprint, textFingerprint } from '../received.ts'

type Row = { id: string; key: string; channel: ChannelName; state: string; message: unknown; detail: string | null }
type Announcement = {
  alert_id: string
  channel: ChannelName
  event: string
  state: string
  detail: string | null
  notification_id: string | null
}

/** Messages that arrived more than once, by channel. */
export type Repeated = Record<ChannelName, number>

export type MessagesDeps = {
  sql: Sql
  mailroom: Mailroom
  url: string
  /** Whether something was killed between two times (milliseconds since 1970): only then may a message arrive twice. */
  killedBetween(from: number, to: number): boolean
}

/** Maximum time a message is in transit after its sender died. Text messages have timestamps in whole seconds. */
const underWayMs = 2_000

/** What the receiver sees of a message, whichever attempt it was. */
function fingerprintOf({ key, channel, message }: Row, url: string): string {
  if (channel === 'email' || channel === 'webhook') return key
  const parsed: Message = messageSchema.parse(message)
  if (channel === 'sms') return textFingerprint(smsText(parsed, url) ?? '')
  const { text, blocks } = slackMessage({ message: parsed, baseUrl: url })
  return slackFingerprint(text, blocks)
}

const rowsOf = (sql: Sql, where: string): Promise<Row[]> =>
  sql<Row>(`SELECT id, key, channel, state, message, detail FROM notifications WHERE kind <> 'test' AND ${where} ORDER BY id`)

/** At any time: nothing is marked sent that the receiver doesn't have. */
export async function falselySent({ sql, mailroom, url }: MessagesDeps): Promise<string[]> {
  const sent = await rowsOf(sql, "state = 'sent'")
  const arrived = byFingerprint(await mailroom.collect())
  return sent
    .filter((row) => !arrived.has(`${row.channel} ${fingerprintOf(row, url)}`))
    .map(({ id, channel }) => `notification ${id} (${channel}) is marked sent but never arrived`)
}

/** At rest: every alert was sent through every channel, once, and duplicates are due to a kill. */
export async function checkMessages(deps: MessagesDeps): Promise<{ wrong: string[]; repeated: Repeated; sent: number }> {
  const { sql, mailroom, url, killedBetween } = deps
  const rows = await rowsOf(sql, 'true')
  const arrived = byFingerprint(await mailroom.collect())
  const repeated: Repeated = { email: 0, slack: 0, sms: 0, webhook: 0 }
  const wrong = [...(await unsent(sql)), ...sentTwice(rows)]
  for (const row of rows) {
    const name = `notification ${row.id} (${row.channel})`
    if (row.state !== 'sent') {
      wrong.push(`${name} is ${row.state}: ${row.detail ?? 'no reason given'}`)
      continue
    }
    const receipts = arrived.get(`${row.channel} ${fingerprintOf(row, url)}`) ?? []
    if (receipts.length === 0) wrong.push(`${name} is marked sent but never arrived`)
    for (const [before, after] of pairs(receipts)) {
      repeated[row.channel] += 1
      if (!killedBetween(before.at - underWayMs, after.at + 1_000))
        wrong.push(`${name} arrived twice although nothing was killed in between`)
    }
  }
  return { wrong, repeated, sent: rows.length }
}

/** Alerts missing from a channel that is on. Everybody has all channels on, for every kind of alert. */
async function unsent(sql: Sql): Promise<string[]> {
  const alerts = await sql<{ id: string; severity: string; recovered_at: Date | null; reason: string | null }>(
    "SELECT id, severity, recovered_at, ended->>'reason' AS reason FROM alerts WHERE part_of IS NULL",
  )
  const announcements = await sql<Announcement>('SELECT alert_id, channel, event, state, detail, notification_id FROM delivery_news')
  const created = new Map(
    (await sql<{ id: string; created_at: Date }>('SELECT id, created_at FROM notifications')).map((row) => [row.id, row.created_at]),
  )
  const known = new Map(announcements.map((each) => [`${each.alert_id} ${each.channel} ${each.event}`, each]))
  const wrong: string[] = []
  for (const { id, severity, recovered_at: recoveredAt, reason } of alerts) {
    for (const channel of ['email', 'slack', 'sms', 'webhook'] as const) {
      if (channel === 'sms' && severity !== 'critical') continue
      const opening = known.get(`${id} ${channel} opened`)
      const notifiedAt = opening?.notification_id ? created.get(opening.notification_id) : undefined
      if (!opening) wrong.push(`alert ${id} was never recorded for ${channel}`)
      else if (opening.state === 'waiting') wrong.push(`alert ${id} is still waiting to be sent through ${channel}`)
      else if (opening.state === 'told' && !notifiedAt) wrong.push(`alert ${id} counts as sent through ${channel}, but there is no message`)
      else if (opening.state === 'suppressed' && !recoveredAt) wrong.push(`alert ${id} was not sent through ${channel}: ${opening.detail}`)
      // Nobody is notified of an end that follows from their own change of a rule.
      const isSaid = channel !== 'sms' && recoveredAt !== null && !isSilentEnd(reason ?? '')
      const isDue = isSaid && notifiedAt !== undefined && notifiedAt < recoveredAt
      if (isDue && !known.has(`${id} ${channel} recovered`)) wrong.push(`the end of alert ${id} was never recorded for ${channel}`)
    }
  }
  return wrong
}

/** The same thing in two messages of a channel. */
function sentTwice(rows: readonly Row[]): string[] {
  const seen = new Map<string, string>()
  const wrong: string[] = []
  for (const { id, channel, message } of rows) {
    const parsed = messageSchema.parse(message)
    if (parsed.kind !== 'alerts') continue
    for (const { alertId, event } of itemsIn(parsed)) {
      const what = `${event} of alert ${alertId} through ${channel}`
      const before = seen.get(what)
      if (before !== undefined) wrong.push(`${what} is in notification ${before} and in ${id}`)
      seen.set(what, id)
    }
  }
  return wrong
}

const byFingerprint = (receipts: readonly Receipt[]): Map<string, Receipt[]> =>
  Map.groupBy(
    receipts.toSorted((a, b) => a.at - b.at),
    ({ channel, fingerprint }) => `${channel} ${fingerprint}`,
  )

const pairs = (receipts: readonly Receipt[]): [Receipt, Receipt][] =>
  receipts.slice(1).flatMap((after, index): [Receipt, Receipt][] => {
    const before = receipts[index]
    return before ? [[before, after]] : []
  })
