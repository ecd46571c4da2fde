import type { FastifyInstance, FastifyRequest } from 'fastify'
import { userPatch } from '../../contract/account.ts'
import { reportScheduleChange } from '../../contract/publishing.ts'
import type { AccountsService, Person } from '../accounts/service.ts'
import { ProofNeeded } from '../common/errors.ts'

/**
 * - `always`: the session has proven within ten minutes who it is.
 * - `without-password`: the request itself carries the password, which its route checks; an account that has none proves it as above.
 * - `route`: the route asks by itself, since it answers visitors too.
 */
type Asks = 'always' | 'without-password' | 'route' | ((person: Person, body: unknown) => boolean)

/**
 * What a session alone is not enough for, since it may have been borrowed: ways into the account, all of its data, where its alerts
 * and reports go from now on, and its money. Completing a second factor is not listed, as it takes the secret that was shown when it was begun.
 */
export const provenRoutes: Readonly<Record<string, Asks>> = {
  'PATCH /api/user': changesTheWayIn,
  'DELETE /api/user': 'without-password',
  'GET /api/user/export': 'always',
  'POST /api/user/two-factor': 'without-password',
  'POST /api/user/two-factor/recovery-codes': 'without-password',
  'DELETE /api/user/two-factor': 'without-password',
  'DELETE /api/user/google-sign-ins': 'always',
  'POST /api/keys': 'always',
  'PUT /api/delivery-channels/email': 'always',
  'PUT /api/delivery-channels/slack': 'always',
  'PUT /api/delivery-channels/sms': 'always',
  'PUT /api/delivery-channels/webhook': 'always',
  'POST /api/delivery-channels/webhook/secret': 'always',
  'POST /api/report-schedules': sendsToOthers,
  'PUT /api/report-schedules/:id': sendsToOthers,
  'POST /api/report-shares': 'always',
  'POST /api/subscription/change': 'always',
  'POST /api/subscription/portal': 'always',
  'GET /api/auth/google': 'route',
}

/** Another address, or the end of the connection to Google; not a username, nor taking back a change of address. */
function changesTheWayIn({ email, pendingEmail }: Person, body: unknown): boolean {
  const patch = userPatch.parse(body)
  const asked = patch.email?.toLowerCase()
  return patch.selectedProperty === null || (asked !== undefined && asked !== email && asked !== pendingEmail)
}

/** What stops a report, or keeps it to the account's own address, gives nothing away. */
function sendsToOthers({ email }: Person, body: unknown): boolean {
  const { enabled, recipients } = reportScheduleChange.parse(body)
  return enabled && recipients.some((address) => address.toLowerCase() !== email)
}

/** Has every request to one of them refused while its session is unproven. @throws ProofNeeded */
export function addProofs(app: FastifyInstance, accounts: Pick<AccountsService, 'sessionOf'>): void {
  app.addHook('preHandler', async (request: FastifyRequest) => {
    const asks = provenRoutes[`${request.method} ${request.routeOptions.url ?? ''}`]
    if (asks === undefined || asks === 'route') return
    const session = await accounts.sessionOf(request.headers.cookie)
    if (!session || session.isProven) return
    const { person } = session
    const isAsked = asks === 'always' || (asks === 'without-password' ? !person.hasPassword : asks(person, request.body))
    if (isAsked) throw new ProofNeeded()
  })
}
