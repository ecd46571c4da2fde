import type { Db } from '../database/open.ts'

const dayMs = 24 * 3_600_000
/** How long it is kept what a message said; that there was one, where it went and when stays. */
const keptDays = 90

/** How long news wait for an address to be confirmed: nobody wants to be mailed of what happened months ago. */
const waitsForAddressDays = 30

/** News that nobody could be mailed for so long. */
export async function giveUpOnUnconfirmed(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('deliveryNews')
    .set({ state: 'suppressed', detail: `The address was not confirmed within ${waitsForAddressDays} days.` })
    .where('state', '=', 'waiting')
    .where('channel', '=', 'email')
    .where('at', '<', new Date(now.getTime() - waitsForAddressDays * dayMs))
    .execute()
}

/** Forgets what old messages said, and what they were answered: the alerts themselves say it, and a digest a day adds up. */
export async function forgetOldMessages(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * dayMs)
  await db.deleteFrom('webhookAttempts').where('at', '<', before).execute()
  await db
    .updateTable('notifications')
    .set({ message: '{}' })
    .where('state', '!=', 'waiting')
    .where('createdAt', '<', before)
    .where((eb) => eb(eb.cast<string>('message', 'text'), '!=', '{}'))
    .execute()
}
