import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'

/**
 * Whom the command line means: the account with exactly this username, or the one that confirmed this email address, ignoring case; null if
 * there is none. Anyone may claim an address, so a claim doesn't count; neither does a closed account.
 * @throws Refusal 409 if it could be either of two, or the address is only claimed
 */
export async function findByName(db: Db, name: string): Promise<string | null> {
  const wanted = name.trim().toLowerCase()
  const named = await db
    .selectFrom('users')
    .innerJoin('people', 'people.userId', 'users.id')
    .where('people.closedAt', 'is', null)
    .where((eb) => eb.or([eb('users.username', '=', wanted), eb('users.email', '=', wanted)]))
    .select(['users.id', 'users.username', 'users.emailVerified'])
    .limit(100)
    .execute()
  const [found, ...others] = named.filter(({ username, emailVerified }) => username === wanted || emailVerified)
  if (others.length > 0)
    throw new Refusal(
      409,
      `"${wanted}" is the username of one account and the email address of another. Use the first account's email address or the second account's username instead.`,
    )
  if (found) return found.id
  if (named.length > 0) throw new Refusal(409, `The address ${wanted} isn't confirmed, so it can't identify an account. Use the username.`)
  return null
}
