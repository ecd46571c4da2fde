import { randomUUID } from 'node:crypto'
import type { Registration } from '../../contract/account/auth.ts'
import type { PaidPlan } from '../../contract/user.ts'
import { recordEvent } from '../audit/record.ts'
import { Refusal } from '../common/errors.ts'
import type { Db } from '../database/open.ts'
import type { GoogleIdentity } from '../google/oauth.ts'
import type { Clock } from '../platform/clock.ts'
import type { Operators } from '../mail/operators.ts'
import type { Addresses } from './addresses.ts'
import type { Attempts } from './attempts.ts'
import type { Auth } from './auth.ts'
import type { Caller } from './caller.ts'
import { addSignIn, ownerOfGoogleSignIn } from './google-sign-ins.ts'
import type { StrangerEmailLimits, MayWrite } from './stranger-email-limits.ts'
import { freeUsername, isUsernameTaken, refuseMisleading, usernameTaken } from './username.ts'

export type NewAccount = {
  username: string
  email: string
  password: string | null
  emailVerified: boolean
  google?: Pick<GoogleIdentity, 'sub' | 'email'>
  /** A plan that needs no payment; null: Free, which everyone starts with. */
  grantedPlan: PaidPlan | null
  /** The account that a demo presents. */
  sample?: boolean
}

/**
 * The account of a visitor from Google: one that their Google account hasn't logged in to before, with its access at that moment
 * (hold-person.ts); one just created; or one that another request has just created.
 */
export type GoogleVisitor = { userId: string; was: 'unlinked'; accessVersion: number } | { userId: string; was: 'unknown' | 'linked' }

export type RegistrationDeps = {
  auth: Auth
  db: Db
  clock: Clock
  addresses: Addresses
  attempts: Attempts
  strangerEmailLimits: StrangerEmailLimits
  operators: Operators
  demo: boolean
}

/** New accounts. */
export function createRegistration({ auth, db, clock, addresses, attempts, strangerEmailLimits, operators, demo }: RegistrationDeps) {
  /** All of an account or nothing: half of one would block its username forever and let nobody in. */
  async function create({ username, email, password, emailVerified, google, grantedPlan, sample = false }: NewAccount): Promise<string> {
    const context = await auth.$context
    const hash = password === null ? null : await context.password.hash(password)
    const [userId, accountId] = [randomUUID(), randomUUID()]
    const names = { name: username, username: username.toLowerCase(), displayUsername: username }
    const times = { createdAt: new Date(), updatedAt: new Date() }
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto('users')
        .values({ id: userId, ...names, email: email.toLowerCase(), emailVerified, ...times })
        .execute()
      if (hash !== null) {
        // As better-auth looks it up.
        const credential = { id: accountId, accountId: userId, providerId: 'credential', userId, password: hash }
        await trx
          .insertInto('accounts')
          .values({ ...credential, ...times })
          .execute()
      }
      await trx
        .insertInto('people')
        .values({
          userId,
          plan: grantedPlan ?? 'free',
          grantedPlan,
          planChosenAt: grantedPlan && clock.now(),
          demo: sample ? 'sample' : demo ? 'visitor' : null,
        })
        .execute()
      // Nobody could get into a second account of the same visitor.
      if (google && !(await addSignIn(trx, userId, google))) throw new Error('This Google account logs in to another account')
      await recordEvent(trx, userId, { kind: 'registered', details: { with: hash === null ? 'google' : 'password' } }, clock.now())
    })
    return userId
  }

  /** Whoever comes from Google gets their account in any case, and can ask for the email again. */
  async function mayWriteTo(email: string, caller: Caller): Promise<MayWrite> {
    try {
      await attempts.countOwn('register', { account: email, address: caller.address })
      return await strangerEmailLimits.ofAccount('register', email, caller.address)
    } catch (error) {
      if (error instanceof Refusal && error.status === 429) return false
      throw error
    }
  }

  return {
    create,

    /** @throws Refusal 400 for a username that may mislead, 409 if it is taken, 429; the email address never makes a difference */
    async register(form: Registration, caller: Caller): Promise<string> {
      refuseMisleading(form.username, operators)
      await attempts.countOwn('register', { account: form.email, address: caller.address })
      // Before the limit shared by all networks is counted, since nothing is emailed.
      if (await isUsernameTaken(db, form.username)) throw usernameTaken
      const mayWrite = await strangerEmailLimits.ofAccount('register', form.email, caller.address)
      const userId = await create({ ...form, emailVerified: false, grantedPlan: null }).catch(async (error: unknown) => {
        // With two at the same moment, the table gives one of them the name.
        throw (await isUsernameTaken(db, form.username)) ? usernameTaken : error
      })
      await addresses.writeTo(userId, mayWrite)
      return userId
    },

    /**
     * The account for a visitor whose Google account doesn't log anybody in yet: the one that confirmed the same address, if Google vouches
     * for its current owner, else a new one. Accounts that only claim the address don't count.
     * @param isSynced whether somebody syncs data with it: then its owner has an account, which it doesn't log in to
     */
    async forGoogle(google: GoogleIdentity, isSynced: boolean, caller: Caller): Promise<GoogleVisitor | 'confirm_first' | 'only_synced'> {
      const address = google.email.toLowerCase()
      const held = await db
        .selectFrom('users')
        .innerJoin('people', 'people.userId', 'users.id')
        .where('email', '=', address)
        .where('emailVerified', '=', true)
        .select(['users.id', 'people.accessVersion'])
        .executeTakeFirst()
      if (held) return google.ownsAddress ? { userId: held.id, was: 'unlinked', accessVersion: held.accessVersion } : 'confirm_first'
      if (isSynced) return 'only_synced'
      const username = await freeUsername(db, address, operators)
      const account = { username, email: address, password: null, emailVerified: google.ownsAddress, google, grantedPlan: null }
      const userId = await create(account).catch(async (error: unknown) => {
        const owner = await ownerOfGoogleSignIn(db, google.sub)
        if (owner === null) throw error
        return { userId: owner, was: 'linked' as const }
      })
      if (typeof userId !== 'string') return userId
      // A work address may have another reader by now, and a Google account is free again once its account is deleted.
      if (!google.ownsAddress) await addresses.writeTo(userId, await mayWriteTo(address, caller))
      return { userId, was: 'unknown' }
    },
  }
}
