import type { Db } from '../database/open.ts'

const dayMs = 24 * 3_600_000
/** How long reports are kept, and links after they have expired. */
const keptDays = 90

/** Forgets reports that were made long ago, with their files and mails, and links that nobody can open any more. */
export async function forgetOldReports(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * dayMs)
  await db.deleteFrom('reportRuns').where('createdAt', '<', before).execute()
  await db.deleteFrom('reportShares').where('expiresAt', '<', before).execute()
}
