import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { annotations as annotationsAnswer, annotationsQuery, newNote, note, noteChange } from '../../contract/annotations.ts'
import type { Person } from '../accounts/service.ts'
import type { AnnotationsService } from './service.ts'

/** Ids count up; whatever is no number is of nobody. */
const byId = z.object({ id: z.string().regex(/^\d{1,15}$/, 'This is no id') })

export type AnnotationsRoutesDeps = { annotations: AnnotationsService; requirePerson(request: FastifyRequest): Promise<Person> }

/** What happened on days: `/api/annotations`. */
export const annotationsRoutes =
  ({ annotations, requirePerson }: AnnotationsRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const path = '/api/annotations'

    app.get(path, { schema: { querystring: annotationsQuery, response: { 200: annotationsAnswer } } }, async (request) =>
      annotations.list(await requirePerson(request), request.query),
    )

    app.post(path, { schema: { body: newNote, response: { 201: note } } }, async (request, reply) =>
      reply.status(201).send(await annotations.add(await requirePerson(request), request.body)),
    )

    app.patch(`${path}/:id`, { schema: { params: byId, body: noteChange, response: { 200: note } } }, async (request) =>
      annotations.change(await requirePerson(request), request.params.id, request.body),
    )

    app.delete(`${path}/:id`, { schema: { params: byId, response: { 204: z.null() } } }, async (request, reply) => {
      await annotations.remove(await requirePerson(request), request.params.id)
      return reply.status(204).send(null)
    })
  }
