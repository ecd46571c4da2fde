import type { Db } from '../database/open.ts'

/** The account of this username or email address, however it is written; null when there is none. */
export async function findByName(db: Db, name: string): Promise<string | null> {
  const wanted = name.trim().toLowerCase()
  const user = await db
    .selectFrom('users')
    .select('id')
    .where((eb) => eb.or([eb('username', '=', wanted), eb('email', '=', wanted)]))
    .executeTakeFirst()
  return user?.id ?? null
}
