import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Note } from '../../../contract/annotations.ts'
import { formatDay } from '../../lib/dates.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { isSaved } from './note-actions.ts'
import { useFocusOn } from './use-focus-on.ts'

type NoteRowProps = { note: Note; /** Gets the focus at each new one. */ turn: number | null; onEdit: () => void; onRemove: () => void }

/** A note and what can be done about it. Deleting asks once more, in the same place. */
export function NoteRow({ note, turn, onEdit, onRemove }: NoteRowProps) {
  const [isAsked, setAsked] = useState(false)
  /** How often it was asked about and kept. */
  const [kept, setKept] = useState(0)
  const { text, date, property, inReports } = note
  const about = `${text}, ${formatDay(date, true)}`
  return (
    <li className="py-1">
      <div className="flex items-start gap-2.5">
        <Pencil aria-hidden className="mt-3 size-4 shrink-0 text-muted" />
        <div className="min-w-0 flex-1 py-2">
          <p className="wrap-anywhere">{text}</p>
          <p className="text-muted tabular-nums">
            {formatDay(date, true)}
            {property === null && ', all properties'}
            {inReports && ', in reports'}
          </p>
        </div>
        {!isAsked && isSaved(note) && (
          <Actions about={about} edit={turn} remove={kept > 0 ? kept : null} onEdit={onEdit} onRemove={() => setAsked(true)} />
        )}
      </div>
      {isAsked && (
        <Question
          about={about}
          onKeep={() => {
            setAsked(false)
            setKept(kept + 1)
          }}
          onRemove={onRemove}
        />
      )}
    </li>
  )
}

type ActionsProps = { about: string; edit: number | null; remove: number | null; onEdit: () => void; onRemove: () => void }

/** `edit` and `remove`: whose turn it is to have the focus. */
function Actions({ about, edit, remove, onEdit, onRemove }: ActionsProps) {
  const editButton = useFocusOn<HTMLButtonElement>(remove === null ? edit : null)
  const removeButton = useFocusOn<HTMLButtonElement>(remove)
  return (
    <div className="-mr-2 flex shrink-0">
      <IconButton ref={editButton} aria-label={`Edit: ${about}`} className="text-muted!" onClick={onEdit}>
        <Pencil aria-hidden />
      </IconButton>
      <IconButton ref={removeButton} aria-label={`Delete: ${about}`} className="text-muted!" onClick={onRemove}>
        <Trash2 aria-hidden />
      </IconButton>
    </div>
  )
}

function Question({ about, onKeep, onRemove }: { about: string; onKeep: () => void; onRemove: () => void }) {
  return (
    <fieldset className="flex flex-wrap items-center justify-end gap-2 pb-2">
      <legend className="sr-only">Delete: {about}</legend>
      <p className="mr-auto">Delete this note?</p>
      <Button onClick={onKeep}>Keep</Button>
      <Button variant="danger" ref={useFocusOn<HTMLButtonElement>(1)} onClick={onRemove}>
        Delete
      </Button>
    </fieldset>
  )
}
