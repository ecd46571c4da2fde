import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Note } from '../../../contract/annotations.ts'
import type { SearchType } from '../../../contract/common.ts'
import type { Period } from '../../../contract/metrics.ts'
import {
  addNote,
  annotationsQuery,
  changeNote,
  changeShownNotes,
  holdAnnotations,
  reloadAnnotations,
  removeNote,
} from '../../api/annotations.ts'
import { ApiFailure, failureText } from '../../api/client.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { type NoteDraft, NoteForm } from './NoteForm.tsx'
import { NotesList } from './NotesList.tsx'
import { eventsWithin } from './marks.ts'
import { type NoteAction, unsavedId, withAction, withoutAction } from './note-actions.ts'
import { useFocusOn } from './use-focus-on.ts'

type NotesPanelProps = { property: string; searchType: SearchType | undefined; days: Period }

/** The text being written: a new note or a change; `problem`: why the server refused it. */
type Writing = { note: Note | null; draft: NoteDraft; problem: string | null }

const adding = 'add'

/** What happened on a chart's days, and a person's notes on them. */
export function NotesPanel({ property, searchType, days }: NotesPanelProps) {
  const { data, error, isFetching, refetch } = useQuery(annotationsQuery(property))
  const [writing, setWriting] = useState<Writing | null>(null)
  /** The note, or the add button, to focus when the list returns, and how often that has happened. */
  const [back, setBack] = useState<{ to: string; turn: number } | null>(null)
  const comeBack = (to: string) => setBack((before) => ({ to, turn: (before?.turn ?? 0) + 1 }))
  const act = useNoteActions()

  function send(action: NoteAction, again: Writing): void {
    comeBack(again.note?.id ?? adding)
    setWriting(null)
    act(action, { onError: (failure) => setWriting({ ...again, problem: failureText(failure, 'Please try again.') }) })
  }

  if (writing !== null) {
    const { note, draft, problem } = writing
    return (
      <NoteForm
        note={note}
        start={draft}
        property={property}
        problem={problem}
        onCancel={() => {
          comeBack(note?.id ?? adding)
          setWriting(null)
        }}
        onSave={(given) =>
          send(
            note === null
              ? { kind: 'add', id: unsavedId(), given }
              : { kind: 'change', note, change: { date: given.date, text: given.text, inReports: given.inReports } },
            { note, draft: given, problem: null },
          )
        }
      />
    )
  }
  return (
    <div className="w-80 max-w-full pb-1">
      <div className="flex items-center justify-between gap-3">
        <p className="text-sm text-muted tabular-nums">{formatPeriod(days, true)}</p>
        <AddButton
          turn={back?.to === adding ? back.turn : null}
          onClick={() => setWriting({ note: null, draft: { date: days.end, text: '', property, inReports: false }, problem: null })}
        />
      </div>
      {data !== undefined ? (
        <NotesList
          happened={eventsWithin(data, days, searchType)}
          focus={back}
          onEdit={(note) => setWriting({ note, draft: note, problem: null })}
          onRemove={(note) => {
            comeBack(adding)
            act({ kind: 'remove', note })
          }}
        />
      ) : error === null ? (
        <div aria-busy className="mt-4 flex flex-col gap-2">
          <span className="sr-only">Loading notes</span>
          <Skeleton className="h-5 w-1/3" />
          <Skeleton className="h-10 w-full" />
        </div>
      ) : (
        <div className="mt-4 flex flex-wrap items-center gap-3 text-sm">
          <p className="min-w-0 flex-1 basis-48 text-critical">{failureText(error, 'Unable to load notes.')}</p>
          <Button disabled={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}

function AddButton({ turn, onClick }: { turn: number | null; onClick: () => void }) {
  return (
    <Button ref={useFocusOn<HTMLButtonElement>(turn)} onClick={onClick}>
      Add a note
    </Button>
  )
}

const mutationKey = ['note-action']

/** Adding, changing and deleting notes: shown on every chart at once, and reverted with a message that says why if the server refuses. */
function useNoteActions() {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: perform,
    async onMutate(action) {
      await holdAnnotations(client)
      changeShownNotes(client, (notes, property) => withAction(notes, action, property))
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
      // An unreachable server has nothing new to say; asking it while another action is under way would undo that on screen.
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
