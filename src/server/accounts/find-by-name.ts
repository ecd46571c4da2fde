import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'

/**
 * Whom the command line means: the account with exactly this username, or the one that confirmed this email address, ignoring case; null if
 * there is none. Anyone may claim an address, so a claim doesn't count; neither does a closed account.
 * @throws Refusal 409 if it could be either of two, or the address is only claimed
 */
export async function findByName(db: Db, name: string): Promise<string | null> {
  const wanted = name.trim().toLowerCase()
  const open = db
    .selectFrom('users')
    .innerJoin('people', 'people.userId', 'users.id')
    .where('people.closedAt', 'is', null)
    .select('users.id')
  // At most two: both are unique. Any number of accounts may claim an address.
  const [found, ...others] = await open
    .where((eb) =>
      eb.or([eb('users.username', '=', wanted), eb.and([eb('users.email', '=', wanted), eb('users.emailVerified', '=', true)])]),
    )
    .execute()
  if (others.length > 0)
    throw new Refusal(
      409,
      `"${wanted}" is the username of one account and the email address of another. Use the first account's email address or the second account's username instead.`,
    )
  if (found) return found.id
  if (await open.where('users.email', '=', wanted).limit(1).executeTakeFirst())
    throw new Refusal(409, `The address ${wanted} isn't confirmed, so it can't identify an account. Use the username.`)
  return null
}
