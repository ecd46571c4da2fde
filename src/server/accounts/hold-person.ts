import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { PlanId } from '../../contract/user.ts'
import { Refusal } from '../common/errors.ts'
import type { EventBus, Events } from '../common/events.ts'
import type { Db } from '../database/open.ts'
import type { Person } from './person.ts'
import type { NewToken } from './session-reader.ts'

/**
 * A person as their request came in; without a version, somebody who needed no access, such as an emailed link's reader; without a session,
 * a program with a key.
 */
export type Requester = Pick<Person, 'id' | 'session'> & { accessVersion?: number }

const hasEnded = () => new Refusal(401, 'Your access to this account has ended. Log in again.')

/**
 * Locks a person's row until the transaction ends, as everything that adds to their account does: two requests can't both take the last
 * place, nothing is added to a closed account, and nothing by a request whose access or session ended while it was running.
 * @throws Refusal 401 if the account, access or the session ended; 404 without the account for somebody who needed no access
 */
export async function holdPerson(trx: Db, { id, accessVersion, session }: Requester): Promise<{ plan: PlanId }> {
  const open = trx.selectFrom('people').where('userId', '=', id).where('closedAt', 'is', null)
  const row = await open.select(['plan', 'accessVersion']).forUpdate().executeTakeFirst()
  if (!row) throw accessVersion === undefined ? new Refusal(404, 'This account no longer exists.') : hasEnded()
  if (accessVersion !== undefined && accessVersion !== row.accessVersion) throw hasEnded()
  // Second: whoever ends sessions locks the same row first.
  if (session && !(await trx.selectFrom('sessions').where('id', '=', session.id).select('id').executeTakeFirst())) throw hasEnded()
  return { plan: row.plan }
}

/**
 * Ends the person's other sessions, trusted browsers and logins in progress: these were opened under the old rules, or by somebody else.
 * @returns whether there were other sessions
 */
export async function endOthers(trx: Db, userId: string, kept: NewToken | null): Promise<boolean> {
  // Often the second half of a change that can't be repeated, such as a reset with a link: this waits as long as a statement may.
  await sql`SET LOCAL lock_timeout = 0`.execute(trx)
  const ended = await endOtherSessions(trx, userId, kept)
  await trx.deleteFrom('verifications').where('value', '=', userId).execute()
  return ended
}

/**
 * Gives the session behind a request another token and id, while its person is held: no copy of its cookie outlives the end of other
 * sessions, nor does a request that was made with one.
 * @throws Refusal 401 if it has ended
 */
export async function replaceToken(trx: Db, person: Requester, token: string | null): Promise<NewToken> {
  await holdPerson(trx, person)
  const renewed = { id: randomUUID(), token: randomBytes(24).toString('base64url') as NewToken }
  const own = trx
    .updateTable('sessions')
    .set(renewed)
    .where('token', '=', token ?? '')
    .where('userId', '=', person.id)
  if ((await own.executeTakeFirst()).numUpdatedRows === 0n) throw hasEnded()
  return renewed.token
}

/**
 * Ends the person's other sessions, and those of logins that have begun but not finished (sign-in.ts).
 * @param kept the token that this request made for its own session: a copy of an older one must not survive
 * @returns whether there were any
 */
export async function endOtherSessions(trx: Db, userId: string, kept: NewToken | null): Promise<boolean> {
  // First: a login that finishes waits for this, or has stored a session that is found below.
  await trx
    .updateTable('people')
    .set(({ eb }) => ({ sessionsVersion: eb('sessionsVersion', '+', 1) }))
    .where('userId', '=', userId)
    .execute()
  const others = trx.deleteFrom('sessions').where('userId', '=', userId)
  const ended = await (kept === null ? others : others.where('token', '<>', kept)).executeTakeFirst()
  return ended.numDeletedRows > 0n
}

/** Ends everything that gives others access to an account; requests that came in earlier add nothing from here on. */
export async function endGrants(events: EventBus, { transaction, userId, all }: Events['grantsEnding']): Promise<void> {
  await transaction
    .updateTable('people')
    .set(({ eb }) => ({ accessVersion: eb('accessVersion', '+', 1) }))
    .where('userId', '=', userId)
    .execute()
  await events.emit('grantsEnding', { transaction, userId, all })
}
