import { demoLogin } from '../../contract/demo.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import { usernameLength } from './auth.ts'

export const usernameTaken = new Refusal(409, 'This username is taken. Please choose another one.', 'username')

/** Whether an account has this username, ignoring case, or it is reserved for the demo. */
export async function isUsernameTaken(db: Db, username: string): Promise<boolean> {
  if (username.toLowerCase() === demoLogin.username) return true
  return (await db.selectFrom('users').where('username', '=', username.toLowerCase()).select('id').executeTakeFirst()) !== undefined
}

/** A free username based on an email address: `ann`, else `ann2`, `ann3`, … */
export async function freeUsername(db: Db, email: string): Promise<string> {
  const base = usernameFrom(email)
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}${n}`
    if (!(await isUsernameTaken(db, name))) return name
  }
}

/** The part before the `@`, reduced to the characters a username may have. */
export function usernameFrom(email: string): string {
  const local = (email.split('@')[0] ?? '').toLowerCase().replace(/[^\p{L}\p{N}._-]/gu, '')
  return local.length >= usernameLength.min ? local.slice(0, usernameLength.max - 8) : `${local}site`.padEnd(usernameLength.min, '-')
}
