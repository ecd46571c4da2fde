import type { FastifyPluginAsync } from 'fastify'
import { type ReportScheduleChange, reportScheduleEndpoints as endpoints } from '../../../contract/reports/reports.ts'
import { type Person, serve } from '../../accounts/service.ts'
import type { Schedules } from './schedules.ts'

/** Reports by email. */
export const scheduleRoutes =
  ({ schedules }: { schedules: Schedules }): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.list, ({ person }) => schedules.list(person))
    serve(app, endpoints.add, ({ person, body, request }) => schedules.add(person, body, request.ip), { needsProof: sendsToOthers })
    serve(app, endpoints.change, ({ person, params, body, request }) => schedules.change(person, params.id, body, request.ip), {
      needsProof: sendsToOthers,
    })
    serve(app, endpoints.ask, ({ person, params, request }) => schedules.askAgain(person, params.id, request.ip))
    serve(app, endpoints.remove, ({ person, params }) => schedules.remove(person, params.id))
  }

/** Stopping a report, or sending it to the account's own address only, reveals nothing. */
function sendsToOthers({ email }: Person, { enabled, recipients }: ReportScheduleChange): boolean {
  return enabled && recipients.some((address) => address.toLowerCase() !== email)
}
