import { recordEvent } from '../audit/record.ts'
import { Refusal } from '../common/errors.ts'
import { takeOfDay } from '../database/day-counts.ts'
import type { Db } from '../database/open.ts'
import type { GoogleIdentity } from '../google/oauth.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Clock } from '../platform/clock.ts'
import type { Caller } from './caller.ts'
import type { Exclusively } from './exclusively.ts'
import { endOthers, holdPerson, replaceToken, type Requester } from './hold-person.ts'
import type { Person } from './person.ts'
import type { NewToken } from './session-reader.ts'

export type GoogleSignInsDeps = {
  db: Db
  mailer: Mailer
  clock: Clock
  exclusively: Exclusively
  tokenOf: (caller: Caller) => string | null
  cookiesOf: (token: NewToken, caller: Caller) => Promise<string[]>
}

/** Maximum number of additions per day: each sends an email. */
const mostADay = 10

/** Which Google accounts log in to an account here. Those with synced data are separate (sites/connection-store.ts). */
export function createGoogleSignIns({ db, mailer, clock, exclusively, tokenOf, cookiesOf }: GoogleSignInsDeps) {
  const ownerOf = (sub: string): Promise<string | null> => ownerOfGoogleSignIn(db, sub)

  return {
    /** Whom this Google account signs in; null for nobody. */
    ownerOf,

    /**
     * Lets a Google account log in to this one from now on, and notifies its owner. `taken`: it logs in to another one.
     * @param by `address`: only because it has this account's confirmed address, which may have changed meanwhile
     * @throws Refusal 401 if access ended, or the address changed
     */
    async add(
      person: Requester,
      { sub, email }: GoogleIdentity,
      by: 'request' | 'address' = 'request',
    ): Promise<'added' | 'taken' | 'too-many'> {
      const userId = person.id
      const done = await db.transaction().execute(async (trx) => {
        await holdPerson(trx, person)
        if (by === 'address' && !(await hasConfirmed(trx, userId, email)))
          throw new Refusal(401, 'The address of this account has changed.')
        if ((await takeOfDay(trx, { what: 'google-login', whose: userId }, 1, mostADay, clock.now())) < 1) return 'too-many'
        const added = await addSignIn(trx, userId, { sub, email })
        if (!added) return 'taken'
        await recordEvent(trx, userId, { kind: 'sign-in-added', details: { account: email } }, clock.now())
        const user = await trx
          .selectFrom('users')
          .where('id', '=', userId)
          .select(['email', 'emailVerified', 'username', 'displayUsername'])
          .executeTakeFirstOrThrow()
        const username = user.displayUsername ?? user.username ?? ''
        await mailer.send({ kind: 'google-linked', account: email, username }, { account: user, transaction: trx })
        return 'added'
      })
      return done === 'taken' && (await ownerOf(sub)) === userId ? 'added' : done
    },

    /**
     * From now on no Google account logs in to this one, and the account's other sessions end; notifies the owner.
     * @returns the renewed session's cookies
     */
    remove: (person: Person, caller: Caller): Promise<string[]> =>
      exclusively(person.id, async () => {
        const token = await db.transaction().execute(async (trx) => {
          // First, so that a login that is being added meanwhile is either found here or refused.
          const renewed = await replaceToken(trx, person, tokenOf(caller))
          if (await removeSignIns(trx, person.id, clock.now()))
            await mailer.send({ kind: 'google-unlinked', username: person.username }, { account: person, transaction: trx })
          await endOthers(trx, person.id, renewed)
          return renewed
        })
        return cookiesOf(token, caller)
      }),
  }
}

async function hasConfirmed(trx: Db, userId: string, email: string): Promise<boolean> {
  const user = trx.selectFrom('users').where('id', '=', userId).where('email', '=', email.toLowerCase()).where('emailVerified', '=', true)
  return (await user.select('id').executeTakeFirst()) !== undefined
}

/** Whom this Google account signs in; null for nobody. */
export async function ownerOfGoogleSignIn(db: Db, sub: string): Promise<string | null> {
  const row = await db.selectFrom('googleSignIns').where('googleSub', '=', sub).select('userId').executeTakeFirst()
  return row?.userId ?? null
}

/** @returns false if the Google account already logs in to an account */
export async function addSignIn(trx: Db, userId: string, { sub, email }: Pick<GoogleIdentity, 'sub' | 'email'>): Promise<boolean> {
  const added = await trx
    .insertInto('googleSignIns')
    .values({ googleSub: sub, userId, email })
    .onConflict((oc) => oc.column('googleSub').doNothing())
    .returning('userId')
    .executeTakeFirst()
  return added !== undefined
}

/** Removes all Google logins of this account. @returns false without any */
export async function removeSignIns(trx: Db, userId: string, now: Date): Promise<boolean> {
  const removed = await trx.deleteFrom('googleSignIns').where('userId', '=', userId).returning('email').execute()
  for (const { email } of removed) await recordEvent(trx, userId, { kind: 'sign-in-removed', details: { account: email } }, now)
  return removed.length > 0
}
