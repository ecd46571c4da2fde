import { CalendarDays } from 'lucide-react'
import { useId, useRef, useState, type FormEvent } from 'react'
import { longestNote, newNote, type NewNote, type Note } from '../../../contract/annotations.ts'
import { earlier, later, monthsBefore, pacificDay } from '../../../core/analytics/days.ts'
import { formatDay } from '../../lib/dates.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/form/Checkbox.tsx'
import { Calendar } from '../../ui/form/Calendar.tsx'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { TextAreaField } from '../../ui/form/Field.tsx'
import { PropertyName } from '../PropertyName.tsx'
import { useFocusOn } from './use-focus-on.ts'

export type NoteDraft = NewNote

type NoteFormProps = {
  /** Null for a new one. */
  note: Note | null
  start: NoteDraft
  /** The property behind "this property". */
  property: string
  problem: string | null
  onCancel: () => void
  onSave: (given: NewNote) => void
}

/** As far back as anybody imports figures. */
const monthsOfNotes = 48

export function NoteForm({ note, start, property, problem, onCancel, onSave }: NoteFormProps) {
  const reportsHint = useId()
  const [text, setText] = useState(start.text)
  const [date, setDate] = useState(start.date)
  const [of, setOf] = useState(start.property)
  const [inReports, setInReports] = useState(start.inReports)
  const [error, setError] = useState<string>()
  // Focuses the text field that was opened for writing.
  const field = useFocusOn<HTMLTextAreaElement>(1)

  function submit(event: FormEvent) {
    event.preventDefault()
    const checked = newNote.safeParse({ date, text, property: of, inReports: inReports && of !== null })
    if (checked.success) return onSave(checked.data)
    setError(checked.error.issues[0]?.message)
    field.current?.focus()
  }

  return (
    <form
      noValidate
      aria-label={note === null ? 'Add a note' : 'Edit note'}
      className="flex w-80 max-w-full flex-col gap-4 pb-1"
      onSubmit={submit}
    >
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      <TextAreaField
        ref={field}
        label="What happened"
        rows={3}
        maxLength={longestNote}
        value={text}
        error={error}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setError(undefined)
        }}
      />
      <DayField date={date} onChange={setDate} />
      {note === null ? (
        <Scope of={of} property={property} onChange={setOf} />
      ) : (
        <p className="flex gap-1 text-sm text-muted">
          {note.property === null ? (
            'On all your properties'
          ) : (
            <>
              On <PropertyName name={note.property} />
            </>
          )}
        </p>
      )}
      <div>
        <Checkbox
          label="Show in reports you share"
          checked={inReports && of !== null}
          disabled={of === null}
          aria-describedby={reportsHint}
          onChange={(event) => setInReports(event.currentTarget.checked)}
        />
        <p id={reportsHint} className="text-sm text-muted">
          {of === null
            ? 'Notes that apply to all properties never appear in reports you share.'
            : 'In shared links, PDFs and report emails for this property. Otherwise, only you can see it.'}
        </p>
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="primary" type="submit">
          {note === null ? 'Add note' : 'Save note'}
        </Button>
      </div>
    </form>
  )
}

/** The day as a button; the calendar opens below it. */
function DayField({ date, onChange }: { date: string; onChange: (date: string) => void }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const [today] = useState(() => pacificDay(new Date()))
  return (
    <div className="flex flex-col gap-1.5">
      <span id={`${id}-label`} className="font-medium">
        Day
      </span>
      <Button
        ref={button}
        id={id}
        aria-labelledby={`${id}-label ${id}`}
        aria-expanded={open}
        className="self-start tabular-nums"
        onClick={() => setOpen(!open)}
      >
        <CalendarDays aria-hidden className="text-muted" />
        {formatDay(date, true)}
      </Button>
      {open && (
        <Calendar
          span={{ start: earlier(date, monthsBefore(today, monthsOfNotes)), end: later(date, today) }}
          selected={{ start: date, end: date }}
          initial={date}
          onPick={(day) => {
            onChange(day)
            setOpen(false)
            button.current?.focus()
          }}
        />
      )}
    </div>
  )
}

type ScopeProps = { of: string | null; property: string; onChange: (of: string | null) => void }

function Scope({ of, property, onChange }: ScopeProps) {
  const name = useId()
  const choices = [
    { value: property, label: 'This property' },
    { value: null, label: 'All my properties' },
  ]
  return (
    <fieldset>
      <legend className="font-medium">Applies to</legend>
      {choices.map(({ value, label }) => (
        <label key={label} className="flex min-h-10 cursor-pointer items-center gap-2.5">
          <input type="radio" name={name} className="size-4 accent-brand" checked={of === value} onChange={() => onChange(value)} />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
