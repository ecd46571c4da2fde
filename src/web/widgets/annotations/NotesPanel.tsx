import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Note } from '../../../contract/annotations.ts'
import type { Period } from '../../../contract/metrics.ts'
import { annotationsQuery } from '../../api/annotations.ts'
import { failureText } from '../../api/client.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { within } from './marks.ts'
import { type NoteAction, unsavedId } from './note-actions.ts'
import { NoteForm, type NoteDraft } from './NoteForm.tsx'
import { NotesList } from './NotesList.tsx'
import { useFocusOn } from './use-focus-on.ts'
import { useNoteActions } from './use-note-actions.ts'

type NotesPanelProps = { property: string; days: Period }

/** What is written: a new note or another text of one that is there; `problem`: why the server did not take it. */
type Writing = { note: Note | null; draft: NoteDraft; problem: string | null }

const adding = 'add'

/** What happened on the days of a chart, and what a person writes down about them. */
export function NotesPanel({ property, days }: NotesPanelProps) {
  const { data, error, isFetching, refetch } = useQuery(annotationsQuery(property))
  const [writing, setWriting] = useState<Writing | null>(null)
  /** The note, or the button to add one, that gets the focus when the list is back, and the how manieth time this is. */
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
          happened={within(data, days)}
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
