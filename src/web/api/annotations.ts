import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { annotationEndpoints as endpoints, type Annotations, type NewNote, type Note, type NoteChange } from '../../contract/annotations.ts'
import { call } from './client.ts'

const key = [endpoints.list.path]

/**
 * Everything known about a property's days. Fetched once for all charts: each shows the part within its days, and an added note appears on
 * all of them at once.
 */
export function annotationsQuery(property: string) {
  return queryOptions({
    queryKey: [...key, property],
    queryFn: ({ signal }) => call(endpoints.list, { query: { property }, signal }),
  })
}

export const addNote = (given: NewNote): Promise<Note> => call(endpoints.add, { body: given })

export const changeNote = (id: string, change: NoteChange): Promise<Note> => call(endpoints.change, { params: { id }, body: change })

export const removeNote = (id: string): Promise<void> => call(endpoints.remove, { params: { id } })

/** Answers under way don't include what is about to be shown yet. */
export const holdAnnotations = (client: QueryClient): Promise<void> => client.cancelQueries({ queryKey: key })

/** Changes the visible notes of every property. */
export function changeShownNotes(client: QueryClient, change: (notes: readonly Note[], property: string) => Note[]): void {
  for (const [shown] of client.getQueriesData<Annotations>({ queryKey: key })) {
    client.setQueryData<Annotations>(shown, (known) => known && { ...known, notes: change(known.notes, String(shown[1])) })
  }
}

export const reloadAnnotations = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: key })
