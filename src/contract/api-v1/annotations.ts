import { annotationsQuery, incident, newNote, note, noteChange } from '../annotations.ts'
import { byId } from '../common.ts'
import { withKey } from '../endpoint.ts'
import { apiBase, ofAnyProperty, pageQuery, partOf } from './common.ts'

/** Newest first; with a property, its own notes and those for all properties. */
export const apiAnnotationsQuery = annotationsQuery.extend(ofAnyProperty.shape).extend(pageQuery.shape)
export const apiAnnotations = partOf(note)

/** Newest first. */
export const apiIncidentsQuery = annotationsQuery.omit({ property: true }).extend(pageQuery.shape)
export const apiIncidents = partOf(incident)

export const apiAnnotationEndpoints = {
  listAnnotations: withKey.get(`${apiBase}/annotations`, { query: apiAnnotationsQuery, isLong: 'names', answer: apiAnnotations }),
  createAnnotation: withKey.post(`${apiBase}/annotations`, { body: newNote, answer: note, status: 201 }),
  updateAnnotation: withKey.patch(`${apiBase}/annotations/:id`, { params: byId, body: noteChange, answer: note }),
  deleteAnnotation: withKey.remove(`${apiBase}/annotations/:id`, { params: byId }),
  listIncidents: withKey.get(`${apiBase}/incidents`, { query: apiIncidentsQuery, answer: apiIncidents }),
}
