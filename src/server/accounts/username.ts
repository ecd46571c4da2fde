import { sql } from 'kysely'
import { demoLogin } from '../../contract/demo.ts'
import { looksLikeHost } from '../../core/accounts/host-names.ts'
import type { Db } from '../database/open.ts'
import { isUniqueViolation } from '../database/unique-violation.ts'
import { Refusal } from '../common/errors.ts'
import type { Operators } from '../mail/operators.ts'
import { usernameLength } from './auth.ts'

export const usernameTaken = new Refusal(409, 'This username is taken. Please choose another one.', 'username')

/** How many names are reserved for an account that gave them up: the earliest ones, or a thief could free its owner's with more changes. */
const mostReserved = 10

/**
 * Whether an account has this username, ignoring case, or it is reserved: for the demo, or for the account that gave it up lately.
 * @param byId the account that wants it
 */
export async function isUsernameTaken(db: Db, username: string, byId = ''): Promise<boolean> {
  const name = username.toLowerCase()
  if (name === demoLogin.username) return true
  if ((await db.selectFrom('users').where('username', '=', name).select('id').executeTakeFirst()) !== undefined) return true
  // Second: whoever gives a name up reserves it in the same transaction.
  const reserved = db.selectFrom('formerUsernames').where('name', '=', name).where('userId', '<>', byId).where(isReserved)
  return (await reserved.select('name').executeTakeFirst()) !== undefined
}

const isReserved = sql<boolean>`reserved_until > now()`

/**
 * Gives an account another username, and returns the former one, which another request may have changed meanwhile. Nobody else can take that
 * for thirty days: the account's owner, or an operator's command, may still use it (docs/decisions/0114).
 * @throws Refusal 409 if another account has it
 */
export async function rename(trx: Db, id: string, username: string): Promise<string> {
  const named = trx.selectFrom('users').where('id', '=', id).select(['username', 'displayUsername'])
  const before = await named.forUpdate().executeTakeFirstOrThrow()
  const former = before.displayUsername ?? before.username ?? ''
  const [from, to] = [former.toLowerCase(), username.toLowerCase()]
  try {
    await trx
      .updateTable('users')
      .set({ name: username, username: to, displayUsername: username, updatedAt: new Date() })
      .where('id', '=', id)
      .execute()
  } catch (error) {
    if (isUniqueViolation(error)) throw usernameTaken
    throw error
  }
  if (from !== to) await reserve(trx, id, from)
  return former
}

/** A name that was taken back keeps its place, or it would lose it when it is given up again. */
async function reserve(trx: Db, userId: string, name: string): Promise<void> {
  const held = await trx.selectFrom('formerUsernames').where('userId', '=', userId).where(isReserved).select('name').execute()
  if (held.length >= mostReserved && !held.some((each) => each.name === name)) return
  const reserved = { userId, reservedUntil: sql<Date>`now() + interval '30 days'` }
  await trx
    .insertInto('formerUsernames')
    .values({ name, ...reserved })
    .onConflict((taken) => taken.column('name').doUpdateSet(reserved))
    .execute()
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
  const local = (email.split('@')[0] ?? '').toLowerCase().replace(/[^\p{L}\p{N}._-]|\p{Default_Ignorable_Code_Point}/gu, '')
  return local.length >= usernameLength.min ? local.slice(0, usernameLength.max - 8) : `${local}site`.padEnd(usernameLength.min, '-')
}
