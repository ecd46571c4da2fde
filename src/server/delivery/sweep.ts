import type { Db } from '../database/open.ts'

const dayMs = 24 * 3_600_000
/** How long it is kept what a message said; that there was one, where it went and when stays. */
const keptDays = 90

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
