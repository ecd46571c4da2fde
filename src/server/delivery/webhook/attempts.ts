import type { Db } from '../../database/open.ts'
import type { Answer, Outcome } from '../channels/channel.ts'

/** For a response's body; little is enough. */
const mostCharacters = 1_000

/** Stores a customer server's response. */
export async function logAttempt(trx: Db, notificationId: number, outcome: Outcome, { status, ms, body }: Answer, at: Date): Promise<void> {
  // PostgreSQL can't store null characters, and invisible ones must not mislead anybody.
  const answer = body
    .slice(0, mostCharacters)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' || character === '\t' ? character : '\u{FFFD}'))
  const detail = outcome.outcome === 'sent' ? null : outcome.reason
  await trx
    .insertInto('webhookAttempts')
    .values({ notificationId, at, status, ms, answer: answer === '' ? null : answer, detail })
    .execute()
}
