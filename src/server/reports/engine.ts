import type { AccountsService } from '../accounts/service.ts'
import type { Config } from '../config.ts'
import type { Db } from '../database/open.ts'
import type { DeliveryService } from '../delivery/service.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Queue } from '../platform/queue.ts'
import { z } from 'zod'
import type { ReportBrands } from './brands.ts'
import { makeRun } from './make-run.ts'
import type { Saved } from './subjects.ts'
import type { PeriodicReports } from './periodic-reports.ts'
import type { PageOf } from './pages-of-reports.ts'
import { planRuns } from './schedules/plan-runs.ts'
import type { Recipients } from './schedules/recipients.ts'
import { createMailSender, type SendMailsDeps } from './send-mails.ts'
import { forgetOldReports } from './sweep.ts'

const dueQueue = 'report-due'
const runsQueue = 'report-runs'
const mailsQueue = 'report-mails'
const sweepQueue = 'report-sweep'
/** One gathers its figures while another is drawn. They belong to two people: nobody's slow reports hold both places. */
const runsAtOnce = 2
const runJob = z.object({ run: z.number() })

export type EngineDeps = {
  db: Db
  queue: Queue
  config: Pick<Config, 'mail'>
  accounts: Pick<AccountsService, 'person'>
  delivery: Pick<DeliveryService, 'settingsOf'>
  periodic: PeriodicReports
  saved: Saved
  brands: ReportBrands
  recipients: Pick<Recipients, 'reached'>
  baseUrl: () => string
  unsubscribe: SendMailsDeps['unsubscribe']
  pageOf: PageOf
  clock: Clock
  log: Log
}

/** Makes and sends reports: notes what is due (plan), turns it into a PDF (run), and emails it until accepted (send). */
export async function createEngine(deps: EngineDeps) {
  const { db, queue, config, clock } = deps
  await queue.defineQueue(dueQueue, { policy: 'short', retryLimit: 3, retryDelay: 5, retryBackoff: true, retryDelayMax: 60 })
  // The run decides when to give up and tells its owner (make-run.ts): the queue allows more retries than the run needs.
  await queue.defineQueue(runsQueue, { policy: 'exclusive', retryLimit: 1000, retryDelay: 2, retryBackoff: true, retryDelayMax: 600 })
  await queue.defineQueue(mailsQueue, { policy: 'short', retryLimit: 3, retryDelay: 5, retryBackoff: true, retryDelayMax: 60 })
  await queue.defineQueue(sweepQueue, { policy: 'short' })
  const mails = createMailSender({ ...deps, mail: config.mail })

  // People take turns, however many reports each has waiting.
  const enqueue = async ({ id: run, userId: group }: { id: number; userId: string }, transaction: Db): Promise<void> => {
    await queue.send(runsQueue, { run }, { transaction, singletonKey: String(run), group })
  }
  const sendSoon = async (transaction: Db): Promise<void> => {
    await queue.send(mailsQueue, {}, { transaction })
  }

  return {
    /** Starts a run if the transaction commits. */
    enqueue,

    /** Makes and sends due reports in this process, and checks every minute for more. */
    async work(): Promise<void> {
      await queue.work<object>(dueQueue, {}, () => planRuns({ ...deps, enqueue, hasMail: config.mail !== undefined }))
      await queue.schedule(dueQueue, '* * * * *', 'UTC')
      await queue.work<object>(runsQueue, { concurrency: runsAtOnce, onePerGroup: true }, ({ data, signal }) =>
        makeRun({ ...deps, sendSoon }, runJob.parse(data).run, signal),
      )
      await queue.work<object>(mailsQueue, {}, ({ signal }) => mails.sendDue(signal))
      await queue.schedule(mailsQueue, '* * * * *', 'UTC')
      await queue.work<object>(sweepQueue, {}, () => forgetOldReports(db, clock.now()))
      await queue.schedule(sweepQueue, '37 3 * * *', 'UTC')
    },
  }
}
