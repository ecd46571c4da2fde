import { ExternalLink, Globe, type LucideIcon, Pencil, Ruler, Trash2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { Incident, Note } from '../../../contract/annotations.ts'
import { spanText } from '../../charts/time-series/copy.ts'
import { formatDay } from '../../lib/dates.ts'
import { Button, IconButton, iconButtonClass } from '../../ui/Button.tsx'
import type { ChartEvents } from './marks.ts'
import { isSaved } from './note-actions.ts'
import { useFocusOn } from './use-focus-on.ts'

type NotesListProps = {
  happened: ChartEvents
  /** The id of the note that gets the focus. */
  focus: { to: string; turn: number } | null
  onEdit: (note: Note) => void
  onRemove: (note: Note) => void
}

export function NotesList({ happened: { notes, incidents, anomalies }, focus, onEdit, onRemove }: NotesListProps) {
  return (
    <>
      <Section title="Your notes" empty="No notes for these days yet.">
        {notes.map((note) => (
          <NoteRow
            key={note.id}
            note={note}
            turn={focus?.to === note.id ? focus.turn : null}
            onEdit={() => onEdit(note)}
            onRemove={() => onRemove(note)}
          />
        ))}
      </Section>
      <Section title="Google updates" empty="Google reported none for these days.">
        {incidents.map((incident) => (
          <IncidentRow key={incident.id} incident={incident} Icon={Globe} />
        ))}
      </Section>
      {anomalies.length > 0 && (
        <Section title="Google measurement changes" empty="">
          {anomalies.map((anomaly) => (
            <IncidentRow key={anomaly.id} incident={anomaly} Icon={Ruler} />
          ))}
        </Section>
      )}
    </>
  )
}

function Section({ title, empty, children }: { title: string; empty: string; children: readonly ReactNode[] }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-4">
      <h3 id={id} className="font-medium">
        {title}
      </h3>
      {children.length === 0 ? (
        <p className="mt-1 text-sm text-muted">{empty}</p>
      ) : (
        <ul className="mt-1 divide-y divide-line text-sm">{children}</ul>
      )}
    </section>
  )
}

type RowProps = { incident: Pick<Incident, 'title' | 'start' | 'end' | 'url'>; Icon: LucideIcon }

function IncidentRow({ incident: { title, start, end, url }, Icon }: RowProps) {
  return (
    <li className="flex items-start gap-2.5 py-1">
      <Icon aria-hidden className="mt-3 size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 py-2">
        <p className="wrap-anywhere">{title}</p>
        <p className="text-muted tabular-nums">{spanText({ start, end })}</p>
      </div>
      <a
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={`${title}: source (new tab)`}
        title="View the source"
        className={iconButtonClass('-mr-2 text-muted!')}
      >
        <ExternalLink aria-hidden />
      </a>
    </li>
  )
}

type NoteRowProps = { note: Note; /** Gets the focus whenever it changes. */ turn: number | null; onEdit: () => void; onRemove: () => void }

/** A note and its actions. Deleting asks for confirmation in the same place. */
function NoteRow({ note, turn, onEdit, onRemove }: NoteRowProps) {
  const [isAsked, setAsked] = useState(false)
  /** How often deletion was declined. */
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

/** `edit` and `remove`: focus turns for the two buttons. */
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
