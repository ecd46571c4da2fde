import type { Db } from '../../database/open.ts'
import type { Answer, Outcome } from '../channels/channel.ts'

/** Of an answer's body, which nobody has to say much in. */
const mostCharacters = 1_000

/** Notes what somebody's server answered. */
export async function logAttempt(trx: Db, notificationId: number, outcome: Outcome, { status, ms, body }: Answer, at: Date): Promise<void> {
  // PostgreSQL keeps no null character, and nobody is to be led astray by one that cannot be seen.
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
