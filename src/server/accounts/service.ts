import type pg from 'pg'
import type { LoginForm, PlanId } from '../../contract/user.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Auth } from './auth.ts'
import { type Person, personById } from './person.ts'
import { createSessionReader } from './session-reader.ts'
import { freeUsername } from './username.ts'

export type { Person, ReportProperty } from './person.ts'

/** A signed-in person and the cookies that make it so. */
export type SignIn = { userId: string; cookies: string[] }

export type NewAccount = { username: string; email: string; password: string | null; emailVerified: boolean; plan: PlanId }

export function createAccountsService(deps: { auth: Auth; db: Db; pool: pg.Pool; secret: string; clock: Clock }) {
  const { auth, db } = deps
  const cookieNames = ['ranklark.session_token', '__Secure-ranklark.session_token']
  const readSession = createSessionReader(deps.pool, deps.secret, cookieNames, deps.clock.now)

  async function create(account: NewAccount): Promise<string> {
    const context = await auth.$context
    const user = await context.internalAdapter.createUser(
      {
        name: account.username,
        username: account.username.toLowerCase(),
        displayUsername: account.username,
        email: account.email.toLowerCase(),
        emailVerified: account.emailVerified,
      },
      { method: account.password === null ? 'oauth' : 'email-password' },
    )
    if (account.password !== null) {
      await context.internalAdapter.linkAccount({
        userId: user.id,
        providerId: 'credential',
        accountId: user.id,
        password: await context.password.hash(account.password),
      })
    }
    await db.insertInto('people').values({ userId: user.id, plan: account.plan }).execute()
    return user.id
  }

  return {
    /** Who sends this cookie header; null for a visitor. */
    readSession,

    /** @throws Refusal 401 that does not tell whether the name exists */
    async login(form: LoginForm): Promise<SignIn> {
      const answer = await auth.api.signInUsername({ body: form, asResponse: true })
      if (!answer.ok) throw new Refusal(401, 'Invalid username or password')
      const body: unknown = await answer.json()
      return { userId: userIdOf(body), cookies: answer.headers.getSetCookie() }
    },

    /** Ends the session of this cookie header; answers the cookies that clear it. */
    async logout(cookieHeader: string | undefined): Promise<string[]> {
      const headers = new Headers(cookieHeader === undefined ? {} : { cookie: cookieHeader })
      const answer = await auth.api.signOut({ headers, asResponse: true })
      return answer.headers.getSetCookie()
    },

    /** Prolongs a session that is in use; answers the cookies to send, if any. */
    async renew(cookieHeader: string): Promise<string[]> {
      const answer = await auth.api.getSession({ headers: new Headers({ cookie: cookieHeader }), asResponse: true })
      return answer.headers.getSetCookie()
    },

    create,

    /** Signs in a person whose identity was proven elsewhere. */
    async signInAs(userId: string): Promise<SignIn> {
      const answer = await auth.api.signInAs({ body: { userId }, asResponse: true })
      if (!answer.ok) throw new Error(`The session could not be made: ${answer.status}`)
      return { userId, cookies: answer.headers.getSetCookie() }
    },

    /**
     * Makes an account for a Google identity nobody here has yet. An e-mail address that someone
     * registered with a password is not taken over: that person signs in and connects.
     */
    async createForGoogle(email: string): Promise<string | null> {
      const taken = await db.selectFrom('users').where('email', '=', email.toLowerCase()).select('id').executeTakeFirst()
      if (taken) return null
      const username = await freeUsername(db, email)
      return create({ username, email, password: null, emailVerified: true, plan: 'free' })
    },

    async findByUsername(username: string): Promise<string | null> {
      const row = await db.selectFrom('users').where('username', '=', username.toLowerCase()).select('id').executeTakeFirst()
      return row?.id ?? null
    },

    person: (userId: string): Promise<Person | null> => personById(deps.pool, userId),
  }
}
export type AccountsService = ReturnType<typeof createAccountsService>

function userIdOf(body: unknown): string {
  if (typeof body === 'object' && body && 'user' in body && typeof body.user === 'object' && body.user && 'id' in body.user)
    return String(body.user.id)
  throw new Error('better-auth answered a sign-in without a user')
}
