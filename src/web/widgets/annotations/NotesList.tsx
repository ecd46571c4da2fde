import { ExternalLink, Globe, type LucideIcon, Ruler } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import type { Incident, Note } from '../../../contract/annotations.ts'
import { spanText } from '../../charts/time-series/mark-words.ts'
import { iconButtonClass } from '../../ui/Button.tsx'
import type { Happenings } from './marks.ts'
import { NoteRow } from './NoteRow.tsx'

type NotesListProps = {
  happened: Happenings
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
      <Section title="Google’s ranking incidents" empty="Google reported none for these days.">
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
