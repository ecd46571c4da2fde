import { z } from 'zod'
import { apiAnnotationEndpoints as endpoints } from '../../../contract/api-v1/annotations.ts'
import { change, operation, operationsOf, silentChange } from '../operation.ts'
import { partOf } from '../paging.ts'

const place = z.object({ date: z.string(), id: z.string() })
type Dated = { date: string; id: string }
/** Newest first; on the same day, the last written first. */
const isAfter = (row: Dated, after: Dated): boolean =>
  row.date < after.date || (row.date === after.date && Number(row.id) < Number(after.id))

export const annotationOperations = operationsOf('Annotations', {
  listAnnotations: operation(endpoints.listAnnotations, {
    summary: 'List annotations',
    description: 'Your notes, newest first: all of them, or those that apply to one property, including notes for all properties.',
    pages: true,
    example: { query: { from: '2026-01-01' } },
    async handle({ person, services }, { query }) {
      const { property = 'all', from, to } = query
      const part = services.cursors.open({ list: 'annotations', userId: person.id, query, position: place })
      const { notes } = await services.annotations.list(person, { property, from, to })
      return partOf(notes, part, ({ date, id }) => ({ date, id }), isAfter)
    },
  }),
  createAnnotation: change(endpoints.createAnnotation, {
    summary: 'Create an annotation',
    description:
      'Adds a note to a day, for one property, or for all properties with `null`. A property’s note with `inReports` appears in its reports; other notes stay inside the account.',
    example: { body: { date: '2026-03-02', text: 'Shop relaunch', property: null, inReports: false } },
    handle: ({ person, services }, { body }, trx) => services.annotations.add(person, body, trx),
  }),
  updateAnnotation: change(endpoints.updateAnnotation, {
    summary: 'Change an annotation',
    description: 'Changes a note’s day or text, or whether it appears in its property’s reports.',
    example: { params: { id: '3' }, body: { text: 'Shop relaunch with new URLs' } },
    handle: ({ person, services }, { params, body }, trx) => services.annotations.change(person, params.id, body, trx),
  }),
  deleteAnnotation: silentChange(endpoints.deleteAnnotation, {
    summary: 'Delete an annotation',
    description: 'Deletes a note.',
    example: { params: { id: '3' } },
    handle: ({ person, services }, { params }, trx) => services.annotations.remove(person, params.id, trx),
  }),
  listIncidents: operation(endpoints.listIncidents, {
    summary: "List Google's ranking incidents",
    description: 'Ranking incidents Google published, newest first. `end` is null while an incident is ongoing.',
    pages: true,
    example: { query: { from: '2026-01-01' } },
    async handle({ person, services }, { query }) {
      const part = services.cursors.open({
        list: 'incidents',
        userId: person.id,
        query,
        position: z.object({ start: z.string(), id: z.string() }),
      })
      const { incidents } = await services.annotations.list(person, { property: 'all', from: query.from, to: query.to })
      const sorted = incidents.toSorted((a, b) => b.start.localeCompare(a.start) || b.id.localeCompare(a.id))
      return partOf(
        sorted,
        part,
        ({ start, id }) => ({ start, id }),
        (row, after) => row.start < after.start || (row.start === after.start && row.id.localeCompare(after.id) < 0),
      )
    },
  }),
})
