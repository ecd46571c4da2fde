import type { FastifyPluginAsync } from 'fastify'
import { annotationEndpoints as endpoints } from '../../contract/annotations.ts'
import { serve } from '../accounts/service.ts'
import type { Capability } from '../common/capability.ts'
import { jsonSection } from '../common/export-file.ts'
import type { Foundation } from '../common/foundation.ts'
import type { Queue } from '../platform/queue.ts'
import type { SitesService } from '../sites/service.ts'
import { type AnnotationsService, createAnnotationsService } from './service.ts'

const annotationsRoutes =
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

type AnnotationsDeps = Pick<Foundation, 'config' | 'db' | 'queue' | 'clock' | 'log'> & {
  sites: SitesService
}

/** Users' notes, and Google's ranking incidents. */
export function createAnnotations(deps: AnnotationsDeps) {
  const annotations = createAnnotationsService({ ...deps, statusUrl: deps.config.google.statusUrl })
  const about = 'Your notes. A note without a property applies to all properties.'
  const capability: Capability = {
    routes: [annotationsRoutes({ annotations })],
    work: () => workOnIncidents(deps.queue, annotations),
    exported: [jsonSection('notes.json', about, annotations.exportOf)],
  }
  return { annotations, capability }
}

const incidentsQueue = 'ranking-incidents'

/** Reads Google's incidents in this process: at the start, if they have never been read, and then daily. */
async function workOnIncidents(queue: Queue, annotations: AnnotationsService): Promise<void> {
  await queue.defineQueue(incidentsQueue, { policy: 'short', expireInSeconds: 120 })
  await queue.work<object>(incidentsQueue, {}, ({ signal }) => annotations.readIncidents(signal))
  await queue.schedule(incidentsQueue, '41 4 * * *', 'UTC')
  await queue.send(incidentsQueue, {})
}
