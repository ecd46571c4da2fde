import { schedulesLimitedTo } from './subjects.ts'
import { recipientEndpoints } from '../../contract/reports/reports.ts'
import type { AccountsService } from '../accounts/service.ts'
import type { AlertsService } from '../alerts/service.ts'
import type { AnnotationsService } from '../annotations/service.ts'
import type { DeliveryService } from '../delivery/service.ts'
import { hashKeys, signingKeys } from '../database/former-keys.ts'
import type { Db } from '../database/open.ts'
import { deriveKey } from '../platform/secrets.ts'
import { createSignedTokens } from '../platform/signed-token.ts'
import type { Capability } from '../common/capability.ts'
import type { Foundation } from '../common/foundation.ts'
import { rememberShown } from '../common/shown-to-others.ts'
import { exportedReports } from './export.ts'
import { reportBrandRoutes, logoRoute } from './brand-routes.ts'
import { createReportBrands } from './brands.ts'
import { clientRoutes } from './client-routes.ts'
import { operatorsOf } from '../mail/operators.ts'
import { createClients } from './clients.ts'
import { createEngine } from './engine.ts'
import { createPageOf } from './pages-of-reports.ts'
import { createPeriodicReports } from './periodic-reports.ts'
import { periodicRoutes } from './periodic-routes.ts'
import { createAskedAddresses } from '../common/asked-addresses.ts'
import { createRecipients, recipientClaim } from './schedules/recipients.ts'
import { runRoutes } from './run-routes.ts'
import { createRuns } from './runs.ts'
import { scheduleRoutes } from './schedules/schedule-routes.ts'
import { createSchedules } from './schedules/schedules.ts'
import { sharedRoutes, shareRoutes } from './share-routes.ts'
import { createShared } from './shared.ts'
import { createShares } from './shares.ts'
import { createUnsubscribeTokens, unsubscribeRoutes } from './schedules/unsubscribe-routes.ts'
import type { AnalyticsService } from '../analytics/service.ts'
import type { SitesService } from '../sites/service.ts'

type ReportsDeps = Pick<Foundation, 'config' | 'db' | 'queue' | 'vault' | 'keys' | 'events' | 'mailer' | 'baseUrl' | 'clock' | 'log'> & {
  accounts: AccountsService
  sites: SitesService
  annotations: AnnotationsService
  analytics: AnalyticsService
  alerts: AlertsService
  delivery: DeliveryService
}

/** Reports for people: composed, branded, scheduled, emailed and shared. */
export async function createReports(deps: ReportsDeps): Promise<{ capability: Capability }> {
  const { db, keys, baseUrl } = deps
  const { saved } = deps.analytics
  deps.events.on('segmentLeaving', async ({ segmentId, transaction, usedBy }) => {
    usedBy.push(...(await schedulesLimitedTo(transaction, segmentId)))
  })
  const hasMail = deps.config.mail !== undefined
  const periodic = createPeriodicReports(deps)
  const brands = createReportBrands({ ...deps, operators: operatorsOf(deps.config, baseUrl) })
  const tokens = createUnsubscribeTokens(...(await signingKeys(deps, 'report-unsubscribe')))
  const unsubscribe = (user: string, address: string) =>
    `${baseUrl()}${recipientEndpoints.leave.path}?token=${tokens.make({ user, address })}`
  const recipients = createRecipients({
    ...deps,
    tokens: createSignedTokens([deriveKey(keys[0], 'report-recipient')], recipientClaim),
    confirmPage: (token) => `${baseUrl()}${recipientEndpoints.confirm.path}?token=${token}`,
    unsubscribe,
    asked: createAskedAddresses(await hashKeys(deps, 'report-addresses')),
    strangerEmailLimits: deps.accounts.strangerEmailLimits,
  })
  deps.events.on('accountDeleting', (deletion) => recipients.accountDeleting(deletion))
  const schedules = createSchedules({ ...deps, saved, recipients, hasMail })
  const shares = createShares({ ...deps, saved, periodic })
  deps.events.on('grantsEnding', async ({ userId, all, transaction }) => {
    if (!all) await rememberShown(transaction, userId, deps.clock.now())
    await transaction.deleteFrom('reportShares').where('userId', '=', userId).execute()
    await endWaiting(transaction, userId)
    // Whoever had the account may be among those who agreed, and clients' replies may go to them; refusals stay. So does the record of who
    // was asked when, which limits how many are asked, unless the account changes hands. Links sent before don't count anymore: whoever
    // agreed must not agree again without being asked.
    const answers = { confirmedAt: null, linksCountFrom: deps.clock.now() }
    const forgotten = all ? { ...answers, askedAt: null } : answers
    await transaction.updateTable('reportRecipients').set(forgotten).where('userId', '=', userId).execute()
    if (all) {
      await transaction.deleteFrom('reportSchedules').where('userId', '=', userId).execute()
      await transaction.deleteFrom('reportBrands').where('userId', '=', userId).execute()
      await transaction.deleteFrom('shownLately').where('userId', '=', userId).execute()
    } else {
      await transaction.updateTable('reportSchedules').set({ enabled: false }).where('userId', '=', userId).execute()
      await transaction.updateTable('reportBrands').set({ replyTo: null }).where('userId', '=', userId).execute()
    }
  })
  const engine = await createEngine({
    ...deps,
    periodic,
    saved,
    brands,
    recipients,
    unsubscribe,
    pageOf: createPageOf(db, shares, baseUrl),
  })

  const about = 'Your report brand, clients, schedules and shared links, and the reports we sent.'
  const capability: Capability = {
    routes: [
      periodicRoutes({ ...deps, saved, periodic }),
      reportBrandRoutes({ brands }),
      logoRoute({ brands }),
      clientRoutes({ clients: createClients(deps) }),
      scheduleRoutes({ schedules }),
      runRoutes({ runs: createRuns({ ...deps, saved, recipients, enqueue: engine.enqueue, hasMail }) }),
      shareRoutes({ shares }),
      sharedRoutes({ shared: createShared({ ...deps, periodic, brands }) }),
      unsubscribeRoutes({ schedules, recipients, tokens }),
    ],
    work: () => engine.work(),
    exported: [async (userId) => [{ name: 'reports.json', about, content: exportedReports(db, userId) }]],
  }
  return { capability }
}

/** Somebody else may have written them. What is waiting or unfinished isn't sent, even if its schedule is turned on again meanwhile. */
async function endWaiting(trx: Db, userId: string): Promise<void> {
  const ended = { state: 'failed', detail: 'It was still waiting when access to your account was revoked.' } as const
  await trx
    .updateTable('reportRuns')
    .set(ended)
    .where('userId', '=', userId)
    .where('state', 'in', ['waiting', 'running'])
    .where('scheduleId', 'is not', null)
    .execute()
  await trx.updateTable('reportMails').set(ended).where('userId', '=', userId).where('state', '=', 'waiting').execute()
}
