import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reportSchedule, reportScheduleChange, reportSchedules } from '../../contract/publishing.ts'
import type { Person } from '../accounts/service.ts'
import type { Schedules } from './schedules.ts'

const byId = z.object({ id: z.string().max(40) })

export type ScheduleRoutesDeps = { schedules: Schedules; requirePerson(request: FastifyRequest): Promise<Person> }

/** `/api/report-schedules` */
export const scheduleRoutes =
  ({ schedules, requirePerson }: ScheduleRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const path = '/api/report-schedules'

    app.get(path, { schema: { response: { 200: reportSchedules } } }, async (request) => schedules.list(await requirePerson(request)))

    app.post(path, { schema: { body: reportScheduleChange, response: { 201: reportSchedule } } }, async (request, reply) =>
      reply.status(201).send(await schedules.add(await requirePerson(request), request.body)),
    )

    app.put(`${path}/:id`, { schema: { params: byId, body: reportScheduleChange, response: { 200: reportSchedule } } }, async (request) =>
      schedules.change(await requirePerson(request), request.params.id, request.body),
    )

    app.post(`${path}/:id/ask`, { schema: { params: byId, response: { 200: reportSchedule } } }, async (request) =>
      schedules.askAgain(await requirePerson(request), request.params.id),
    )

    app.delete(`${path}/:id`, { schema: { params: byId, response: { 204: z.null() } } }, async (request, reply) => {
      await schedules.remove(await requirePerson(request), request.params.id)
      return reply.status(204).send(null)
    })
  }
