import type { Capability } from '../common/capability.ts'
import { jsonSection } from '../common/export-file.ts'
import type { Foundation } from '../common/foundation.ts'
import type { SitesService } from '../sites/service.ts'
import { workOnIncidents } from './jobs.ts'
import { annotationsRoutes } from './routes.ts'
import { createAnnotationsService } from './service.ts'

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
