import type { FastifyPluginAsync } from 'fastify'
import { type ReportScheduleChange, reportScheduleEndpoints as endpoints } from '../../../contract/reports/reports.ts'
import { type Person, serve } from '../../accounts/service.ts'
import type { Schedules } from './schedules.ts'

/** Reports by email. */
export const scheduleRoutes =
  ({ schedules }: { schedules: Schedules }): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.list, ({ person }) => schedules.list(person))
    serve(app, endpoints.add, ({ person, body, request }) => schedules.add(person, body, request.ip), {
      needsProof: goesToOthers,
    })
    serve(app, endpoints.change, ({ person, params, body, request }) => schedules.change(person, params.id, body, request.ip), {
      // Stopping a report reveals nothing.
      needsProof: async (person, body, { id }) => goesToOthers(person, body) && !(await schedules.onlyStops(person, id, body)),
    })
    serve(app, endpoints.ask, ({ person, params, request }) => schedules.askAgain(person, params.id, request.ip))
    serve(app, endpoints.remove, ({ person, params }) => schedules.remove(person, params.id))
  }

/** Also one that is off: whoever turns it on might not check it again. One that goes only to the account's own address reveals nothing. */
const goesToOthers = ({ email }: Person, { recipients }: ReportScheduleChange): boolean =>
  recipients.some((address) => address.toLowerCase() !== email)
