import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { createAccountExport } from './account-export.ts'
import { createAuditLog } from './accounts/audit-log.ts'
import { workOnAuditSweeps } from './accounts/audit-job.ts'
import { auditRoutes } from './accounts/audit-routes.ts'
import { createDeletion, type Deletion } from './accounts/deletion.ts'
import { deletionRoutes } from './accounts/deletion-routes.ts'
import { exportRoutes } from './accounts/export-routes.ts'
import type { AccountsService, Person } from './accounts/service.ts'
import type { AlertsService } from './alerts/service.ts'
import type { AnnotationsService } from './annotations/service.ts'
import type { BillingService } from './billing/service.ts'
import type { Config } from './config.ts'
import type { Db } from './database/open.ts'
import type { DeliveryService } from './delivery/service.ts'
import type { EventBus } from './common/events.ts'
import { defineFactDrops, dropWithAccount, workOnFactDrops } from './facts/drop-jobs.ts'
import type { FactsStore } from './facts/store.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Clock } from './platform/clock.ts'
import type { Log } from './platform/log.ts'
import type { Queue } from './platform/queue.ts'
import type { Revocations } from './sites/revocation-jobs.ts'

export type AccountDataDeps = {
  config: Pick<Config, 'offer'>
  accounts: AccountsService
  billing: BillingService
  alerts: AlertsService
  annotations: AnnotationsService
  delivery: DeliveryService
  revocations: Revocations
  db: Db
  facts: FactsStore
  queue: Queue
  events: EventBus
  mailer: Mailer
  clock: Clock
  log: Log
  requirePerson(request: FastifyRequest): Promise<Person>
}

export type AccountData = {
  deletion: Deletion
  routes: readonly FastifyPluginAsync[]
  /** Runs in this process what deleted accounts leave to be done elsewhere. */
  work(): Promise<void>
}

/** What somebody may take with them and have deleted, wired to the capabilities that hold it. */
export async function createAccountData(deps: AccountDataDeps): Promise<AccountData> {
  const { accounts, queue, events, revocations, requirePerson } = deps
  await defineFactDrops(queue)
  revocations.withAccount(events)
  dropWithAccount(events, queue)
  const deletion = createDeletion(deps)
  const audit = createAuditLog(deps)

  return {
    deletion,
    routes: [
      exportRoutes({ exportOf: createAccountExport({ ...deps, audit }), accounts, requirePerson }),
      deletionRoutes({ accounts, deletion, requirePerson }),
      auditRoutes({ audit, requirePerson }),
    ],
    async work() {
      await revocations.work()
      await workOnFactDrops(queue, deps.facts)
      await workOnAuditSweeps(queue, audit)
    },
  }
}
