import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Note } from '../../../contract/annotations.ts'
import { addNote, changeNote, changeShownNotes, holdAnnotations, reloadAnnotations, removeNote } from '../../api/annotations.ts'
import { ApiFailure, failureText } from '../../api/client.ts'
import { toast } from '../../ui/overlay/toast.ts'
import { afterAction, type NoteAction, withoutAction } from './note-actions.ts'

const mutationKey = ['note-action']

/** Adding, changing and deleting notes: shown on every chart at once, taken back with a message that says why when the server refuses. */
export function useNoteActions() {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: perform,
    async onMutate(action) {
      await holdAnnotations(client)
      changeShownNotes(client, (notes, property) => afterAction(notes, action, property))
    },
    onSuccess(saved, action) {
      toast.success(done[action.kind])
      if (action.kind !== 'add' || saved === null) return
      changeShownNotes(client, (notes) => notes.map((note) => (note.id === action.id ? saved : note)))
    },
    onError(error, action) {
      changeShownNotes(client, (notes, property) => withoutAction(notes, action, property))
      const { title, text } = failed[action.kind]
      toast.error(title, failureText(error, text))
    },
    onSettled(_saved, error) {
      // Not reached, the server has nothing new to say; asked while another one is under way, it would undo that on screen.
      const isReached = error === null || error instanceof ApiFailure
      if (isReached && client.isMutating({ mutationKey }) === 1) void reloadAnnotations(client)
    },
  })
  return mutate
}

async function perform(action: NoteAction): Promise<Note | null> {
  switch (action.kind) {
    case 'add':
      return addNote(action.given)
    case 'change':
      return changeNote(action.note.id, action.change)
    case 'remove':
      await removeNote(action.note.id)
      return null
  }
}

const done: Record<NoteAction['kind'], string> = { add: 'Note Added', change: 'Note Updated', remove: 'Note Deleted' }
const failed: Record<NoteAction['kind'], { title: string; text: string }> = {
  add: { title: 'Note Not Added', text: 'The note could not be added. Please try again.' },
  change: { title: 'Note Not Updated', text: 'The note could not be updated. Please try again.' },
  remove: { title: 'Note Not Deleted', text: 'The note could not be deleted. Please try again.' },
}
