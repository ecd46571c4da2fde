import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { annotations, note, type Annotations, type NewNote, type Note, type NoteChange } from '../../contract/annotations.ts'
import { askFor, send } from './client.ts'

const resource = '/api/annotations'

/**
 * Everything that is known of the days of a property. Asked once for all charts: what a chart shows of it depends on its
 * days, and a note that is added is on all of them at once.
 */
export function annotationsQuery(property: string) {
  return queryOptions({
    queryKey: [resource, property],
    queryFn: ({ signal }) => askFor(annotations, `${resource}?property=${encodeURIComponent(property)}`, { signal }),
  })
}

export const addNote = (given: NewNote): Promise<Note> => askFor(note, resource, { method: 'POST', body: given })

export const changeNote = (id: string, change: NoteChange): Promise<Note> =>
  askFor(note, `${resource}/${id}`, { method: 'PATCH', body: change })

export async function removeNote(id: string): Promise<void> {
  await send(`${resource}/${id}`, { method: 'DELETE' })
}

/** Answers that are on their way do not know yet of what is about to be shown. */
export const holdAnnotations = (client: QueryClient): Promise<void> => client.cancelQueries({ queryKey: [resource] })

/** Changes the notes that are on screen, of every property. */
export function changeShownNotes(client: QueryClient, change: (notes: readonly Note[], property: string) => Note[]): void {
  for (const [key] of client.getQueriesData<Annotations>({ queryKey: [resource] })) {
    client.setQueryData<Annotations>(key, (known) => known && { ...known, notes: change(known.notes, String(key[1])) })
  }
}

export async function reloadAnnotations(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: [resource] })
}
