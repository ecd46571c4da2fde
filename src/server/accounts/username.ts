import { demoLogin } from '../../contract/demo.ts'
import { looksLikeHost } from '../../core/accounts/host-names.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import type { Operators } from '../mail/operators.ts'
import { usernameLength } from './auth.ts'

export const usernameTaken = new Refusal(409, 'This username is taken. Please choose another one.', 'username')

/** Whether an account has this username, ignoring case, or it is reserved for the demo. */
export async function isUsernameTaken(db: Db, username: string): Promise<boolean> {
  if (username.toLowerCase() === demoLogin.username) return true
  return (await db.selectFrom('users').where('username', '=', username.toLowerCase()).select('id').executeTakeFirst()) !== undefined
}

/** Usernames appear in emails to people who have nothing to do with the account. @throws Refusal 400 */
export function refuseMisleading(username: string, operators: Operators): void {
  if (looksLikeHost(username))
    throw new Refusal(400, "Username can't look like a web address. Use a hyphen instead of the dot.", 'username')
  if (operators.arePretended(username))
    throw new Refusal(400, "This username could be mistaken for this installation's own. Please choose another one.", 'username')
}

/** A free username based on an email address: `ann`, else `ann2`, `ann3`, … */
export async function freeUsername(db: Db, email: string, operators: Operators): Promise<string> {
  const base = notMisleading(usernameFrom(email), operators)
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}${n}`
    if (!(await isUsernameTaken(db, name))) return name
  }
}

function notMisleading(name: string, operators: Operators): string {
  const withoutDots = looksLikeHost(name) ? name.replaceAll('.', '-') : name
  return operators.arePretended(withoutDots) ? 'member' : withoutDots
}

/** The part before the `@`, reduced to the characters a username may have. */
export function usernameFrom(email: string): string {
  const local = (email.split('@')[0] ?? '').toLowerCase().replace(/[^\p{L}\p{N}._-]/gu, '')
  return local.length >= usernameLength.min ? local.slice(0, usernameLength.max - 8) : `${local}site`.padEnd(usernameLength.min, '-')
}
