import type { FastifyPluginAsync } from 'fastify'
import type { Billing, User } from '../../contract/user.ts'
import type { Mailer } from '../mail/mailer.ts'
import { recoveryRoutes } from './recovery-routes.ts'
import type { AccountsService, Person } from './service.ts'
import { sessionRoutes } from './session-routes.ts'
import { twoFactorRoutes } from './two-factor/routes.ts'
import { userRoutes } from './user-routes.ts'

export type AccountsRoutesDeps = {
  accounts: AccountsService
  mailer: Mailer
  /** Looks at where a login comes from (audit/hidden-addresses.ts). */
  noteAddress(address: string): void
  /** A person as shown to the browser, with properties and plan. */
  describe(person: Person): Promise<User>
  /** Same for a person who has just changed. */
  described(userId: string): Promise<User>
  /** Revokes access at Google and deletes tokens, properties and selection. */
  disconnectGoogle(userId: string): Promise<void>
  selectProperty(userId: string, name: string): Promise<void>
  demo: boolean
  billing: Billing
}

/** Everything about a person's identity (SPEC §7). */
export const accountsRoutes =
  (deps: Omit<AccountsRoutesDeps, 'described'>): FastifyPluginAsync =>
  async (app) => {
    const all: AccountsRoutesDeps = {
      ...deps,
      async described(userId) {
        const person = await deps.accounts.person(userId)
        if (!person) throw new Error('A signed-in person has no row')
        return deps.describe(person)
      },
    }
    for (const routes of [sessionRoutes, recoveryRoutes, userRoutes, twoFactorRoutes]) await app.register(routes(all))
  }
