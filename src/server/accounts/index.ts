import type { Capability } from '../common/capability.ts'
import { type ExportSection, jsonRows } from '../common/export-file.ts'
import type { Foundation } from '../common/foundation.ts'
import { auditRoutes, createAuditLog, toEvent, workOnAuditSweeps } from './audit/audit-log.ts'
import { createHiddenAddresses } from './audit/hidden-addresses.ts'
import { operatorsOf } from '../mail/operators.ts'
import { authSecrets, createAuth, sessionSecret } from './auth.ts'
import { createDeletion } from './deletion/deletion.ts'
import { deletionRoutes } from './deletion/routes.ts'
import { exportAccount } from './export/account.ts'
import { createExporter } from './export/export.ts'
import { exportRoutes } from './export/routes.ts'
import { defineAccountsQueues, enqueueReset, workOnErasures, workOnPendingSweeps, workOnResets } from './jobs.ts'
import type { PasswordHashing } from './passwords/password-hashing.ts'
import { resetTwoFactor } from './two-factor/reset-two-factor.ts'
import { accountsRoutes, type AccountsRoutesDeps } from './routes.ts'
import { createAccountsService } from './service.ts'

type AccountsDeps = Pick<
  Foundation,
  'config' | 'pool' | 'db' | 'queue' | 'vault' | 'keys' | 'events' | 'mailer' | 'baseUrl' | 'clock' | 'log'
> & { passwords: PasswordHashing | undefined }

/** What other capabilities contribute to an account. */
type Surroundings = Pick<AccountsRoutesDeps, 'describe' | 'disconnectGoogle' | 'selectProperty'> & {
  exported: readonly ExportSection[]
}

/** Identity: registration, login, second factor, profile, activity, export and deletion. */
export async function createAccounts(deps: AccountsDeps) {
  const { config, db, queue, vault, keys, mailer, baseUrl, clock } = deps
  const auth = createAuth({ db, secrets: authSecrets(keys), baseUrl: baseUrl(), passwords: deps.passwords })
  await defineAccountsQueues(queue)
  const accounts = createAccountsService({
    ...deps,
    auth,
    offer: config.offer,
    secret: sessionSecret(keys[0]),
    operators: operatorsOf(config, baseUrl),
    demo: config.demo,
    asksADay: config.asksADay,
    enqueueReset: enqueueReset(queue, vault),
  })
  const audit = createAuditLog(deps)
  const deletion = createDeletion({ ...deps, accounts })

  return {
    accounts,
    deletion,
    /** `npm run two-factor:reset` */
    resetTwoFactor: (name: string) => resetTwoFactor({ db, mailer, clock }, name),

    /** Created last, since it shows and exports other capabilities' account data. */
    capability({ exported, ...surroundings }: Surroundings): Capability {
      const activity = jsonRows(
        'activity.json',
        'Your account activity: what happened, when and from where.',
        audit.rowsAfter,
        (row) => toEvent(row)[0],
      )
      const noteAddress = createHiddenAddresses({ https: baseUrl().startsWith('https://'), log: deps.log })
      const sections = [exportAccount(db, config.offer), ...exported, activity]
      return {
        routes: [
          accountsRoutes({ accounts, mailer, noteAddress, demo: config.demo, billing: config.offer.billing, ...surroundings }),
          exportRoutes({ exportOf: createExporter({ sections, clock }), accounts }),
          deletionRoutes({ accounts, deletion }),
          auditRoutes({ audit }),
        ],
        async work() {
          await workOnResets(queue, vault, accounts)
          await workOnErasures(queue, db, deps.log)
          await workOnAuditSweeps(queue, audit)
          await workOnPendingSweeps(queue, db, clock)
        },
      }
    },
  }
}
