import type { FastifyPluginAsync } from 'fastify'
import { annotationEndpoints as endpoints } from '../../contract/annotations.ts'
import { serve } from '../accounts/service.ts'
import type { AnnotationsService } from './service.ts'

export const annotationsRoutes =
  ({ annotations }: { annotations: AnnotationsService }): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.list, ({ person, query }) => annotations.list(person, query))
    serve(app, endpoints.add, ({ person, body }) => annotations.add(person, body), {
      needsProof: (person, body) => annotations.showsOthersMore(person, body),
    })
    serve(app, endpoints.change, ({ person, params, body }) => annotations.change(person, params.id, body), {
      needsProof: (person, body, { id }) => annotations.showsOthersMore(person, body, id),
    })
    serve(app, endpoints.remove, ({ person, params }) => annotations.remove(person, params.id))
  }
