import { annotationsQuery, incident, note } from '../annotations.ts'
import { ofAnyProperty, pageQuery, partOf } from './common.ts'

/** `GET /api/v1/annotations`: newest first; with a property, its own notes and those of all properties. */
export const apiAnnotationsQuery = annotationsQuery.extend(ofAnyProperty.shape).extend(pageQuery.shape)
export const apiAnnotations = partOf(note)

/** `GET /api/v1/incidents`: newest first. */
export const apiIncidentsQuery = annotationsQuery.omit({ property: true }).extend(pageQuery.shape)
export const apiIncidents = partOf(incident)
