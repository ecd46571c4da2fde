import { annotationsQuery, incident, newNote, note, noteChange } from '../annotations.ts'
import { byId } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { apiBase, ofAnyProperty, pageQuery, partOf } from './common.ts'

/** Newest first; with a property, its own notes and those for all properties. */
export const apiAnnotationsQuery = annotationsQuery.extend(ofAnyProperty.shape).extend(pageQuery.shape)
export const apiAnnotations = partOf(note)

/** Newest first. */
export const apiIncidentsQuery = annotationsQuery.omit({ property: true }).extend(pageQuery.shape)
export const apiIncidents = partOf(incident)

export const apiAnnotationEndpoints = {
  listAnnotations: endpoint({
    method: 'GET',
    path: `${apiBase}/annotations`,
    access: { key: 'read' },
    query: apiAnnotationsQuery,
    isLong: 'names',
    answer: apiAnnotations,
  }),
  createAnnotation: endpoint({
    method: 'POST',
    path: `${apiBase}/annotations`,
    access: { key: 'write' },
    body: newNote,
    answer: note,
    status: 201,
  }),
  updateAnnotation: endpoint({
    method: 'PATCH',
    path: `${apiBase}/annotations/:id`,
    access: { key: 'write' },
    params: byId,
    body: noteChange,
    answer: note,
  }),
  deleteAnnotation: endpoint({ method: 'DELETE', path: `${apiBase}/annotations/:id`, access: { key: 'write' }, params: byId }),
  listIncidents: endpoint({
    method: 'GET',
    path: `${apiBase}/incidents`,
    access: { key: 'read' },
    query: apiIncidentsQuery,
    answer: apiIncidents,
  }),
}
