import type { FastifyPluginAsync } from 'fastify'
import { type ReportScheduleChange, reportScheduleEndpoints as endpoints } from '../../../contract/reports/reports.ts'
import { type Person, serve } from '../../accounts/service.ts'
import type { Schedules } from './schedules.ts'

/** Reports by email. */
export const scheduleRoutes =
  ({ schedules }: { schedules: Schedules }): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.list, ({ person }) => schedules.list(person))
    serve(app, endpoints.add, ({ person, body }) => schedules.add(person, body), { needsProof: sendsToOthers })
    serve(app, endpoints.change, ({ person, params, body }) => schedules.change(person, params.id, body), { needsProof: sendsToOthers })
    serve(app, endpoints.ask, ({ person, params }) => schedules.askAgain(person, params.id))
    serve(app, endpoints.remove, ({ person, params }) => schedules.remove(person, params.id))
  }

/** Stopping a report, or sending it to the account's own address only, reveals nothing. */
function sendsToOthers({ email }: Person, { enabled, recipients }: ReportScheduleChange): boolean {
  return enabled && recipients.some((address) => address.toLowerCase() !== email)
}
