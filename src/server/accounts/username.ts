import type { Db } from '../database/open.ts'
import { usernameLength } from './auth.ts'

/** A username made from an e-mail address that nobody has yet: `ann`, else `ann2`, `ann3`, … */
export async function freeUsername(db: Db, email: string): Promise<string> {
  const base = usernameFrom(email)
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}${n}`
    const taken = await db.selectFrom('users').where('username', '=', name).select('id').executeTakeFirst()
    if (!taken) return name
  }
}

/** The part before the `@`, reduced to what a username may hold. */
export function usernameFrom(email: string): string {
  const local = (email.split('@')[0] ?? '').toLowerCase().replace(/[^\p{L}\p{N}._-]/gu, '')
  return local.length >= usernameLength.min ? local.slice(0, usernameLength.max - 8) : `${local}site`.padEnd(usernameLength.min, '-')
}
