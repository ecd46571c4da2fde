import { createHmac } from 'node:crypto'
import { isEstablished } from '../../core/accounts/established.ts'
import { alertMailsADay, alertTextsADay, codesADay } from '../../contract/delivery/limits.ts'
import type { Config } from '../config.ts'
import { type DayCount, everybody, giveBackToDay, takeOfDay, usedOfDay } from '../database/day-counts.ts'
import type { Db } from '../database/open.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Channel, Outcome } from './channels/channel.ts'
import type { SmsClient } from './sms/sms-client.ts'
import { listed } from '../../core/words.ts'

export type AllowanceDeps = {
  db: Db
  sms: Config['sms']
  /** Hides the counted numbers (platform/secrets.ts). */
  numberKey: Buffer
  clock: Clock
  log: Log
}

/** `userId`: the account that pays for it. A code may go to somebody else's number. */
export type Text = { userId: string; kind: 'alert' | 'code'; to: string; body: string; signal: AbortSignal }
export type SendText = (text: Text) => Promise<Outcome>

type Bound = { count: DayCount; most: number; reason: string }
/** Thrown to roll back and take nothing. */
class Over extends Error {
  readonly bound: Bound
  constructor(bound: Bound) {
    super(bound.reason)
    this.bound = bound
  }
}

/** Anybody can register accounts; the rest of a day's text messages is kept for those that have been here for a week. */
const shareOfYoung = 3 / 4

const goOn = 'Alerts on this channel resume tomorrow (UTC).'
const anotherCode = 'Request another code tomorrow (UTC).'
const many = (count: number): string => count.toLocaleString('en-US')

/**
 * Daily limits for messages at the operator's cost: text messages and alert emails (docs/decisions/0059). Messages over a limit are refused
 * with a reason for their owner. Only accepted messages count.
 */
export function createAllowance({ db, sms, numberKey, clock, log }: AllowanceDeps) {
  const hidden = (number: string): string => createHmac('sha256', numberKey).update(number).digest('base64url')
  const bound = (what: DayCount['what'], whose: string, most: number, reason: string): Bound => ({ count: { what, whose }, most, reason })

  const mails = (userId: string): Bound[] => [
    bound('alert-mail', userId, alertMailsADay, `Your account can send up to ${alertMailsADay} alert emails a day. ${goOn}`),
  ]
  const byAccount = (userId: string): Bound =>
    bound('alert-text', userId, alertTextsADay, `Your account can send up to ${alertTextsADay} text messages a day. ${goOn}`)
  /** What all accounts share, or of that what accounts that aren't established may use up. */
  function shared(what: DayCount['what'], most: number, reason: string, trusted: boolean, then: string): Bound {
    if (trusted) return bound(what, everybody, most, `${reason} ${then}`)
    const young = "This installation can't send any more text messages for new accounts today."
    return bound(what, everybody, Math.ceil(most * shareOfYoung), `${young} ${then}`)
  }
  const ofAll = (aDay: number, trusted: boolean, then: string): Bound =>
    shared('text', aDay, `This installation can send up to ${many(aDay)} text messages a day.`, trusted, then)
  async function isTrusted(userId: string): Promise<boolean> {
    const owner = await db.selectFrom('users').where('id', '=', userId).select(['createdAt', 'emailVerified']).executeTakeFirst()
    return owner !== undefined && isEstablished(owner, clock.now())
  }

  /** Always taken in this order, or two senders could deadlock. */
  async function texts({ userId, kind, to }: Text, aDay: number): Promise<Bound[]> {
    const trusted = await isTrusted(userId)
    if (kind === 'alert') {
      const reason = `A phone number can receive up to ${alertTextsADay} text messages a day. ${goOn}`
      return [byAccount(userId), bound('alert-text', hidden(to), alertTextsADay, reason), ofAll(aDay, trusted, goOn)]
    }
    return [
      bound('code-text', userId, codesADay, `You can request up to ${codesADay} codes a day. ${anotherCode}`),
      bound('code-text', hidden(to), codesADay, `A phone number can receive up to ${codesADay} codes a day. ${anotherCode}`),
      // Codes alone never use up the alerts' share.
      shared('code-text', Math.ceil(aDay / 4), "This installation can't send any more codes today.", trusted, anotherCode),
      ofAll(aDay, trusted, anotherCode),
    ]
  }

  async function within(bounds: readonly Bound[], send: () => Promise<Outcome>): Promise<Outcome> {
    const now = clock.now()
    try {
      await db.transaction().execute(async (trx) => {
        for (const each of bounds) if ((await takeOfDay(trx, each.count, 1, each.most, now)) === 0) throw new Over(each)
      })
    } catch (error) {
      if (!(error instanceof Over)) throw error
      const { count, most, reason } = error.bound
      log.warn({ what: count.what, ofAll: count.whose === everybody, most }, 'a message exceeds the daily limit')
      return { outcome: 'refused', reason, disables: false, tooMany: true }
    }
    const outcome = await send()
    if (outcome.outcome !== 'sent') for (const { count } of bounds) await giveBackToDay(db, count, now)
    return outcome
  }

  return {
    /** The only way to send text messages: nothing else holds the client. */
    texts: (client: SmsClient): SendText => {
      const { aDay, countries } = sms ?? { aDay: 0, countries: [] }
      return async (text) => {
        if (countries.length > 0 && !countries.some((country) => text.to.startsWith(`+${country}`))) {
          const named = listed(
            countries.map((country) => `+${country}`),
            'or',
          )
          const reason = `This installation sends text messages only to numbers that begin with ${named}. Enter one of those.`
          return { outcome: 'refused', reason, disables: true }
        }
        return within(await texts(text, aDay), () => client.sendText(text))
      }
    },

    mails: (channel: Channel): Channel => ({
      send: (envelope, signal) => within(mails(envelope.person.id), () => channel.send(envelope, signal)),
    }),

    /** Why a channel sends no more alerts today; null while it does. */
    async usedUp(userId: string, channel: 'email' | 'sms'): Promise<string | null> {
      const bounds = channel === 'email' ? mails(userId) : sms ? [byAccount(userId), ofAll(sms.aDay, await isTrusted(userId), goOn)] : []
      for (const { count, most, reason } of bounds) if ((await usedOfDay(db, count, clock.now())) >= most) return reason
      return null
    },
  }
}
export type Allowance = ReturnType<typeof createAllowance>
