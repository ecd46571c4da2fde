import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import type { ImportAnswer } from '../../../contract/import.ts'
import { failureText, NoAnswer } from '../../api/client.ts'
import { ImportFailure, importFiles, type UploadState } from '../../api/import.ts'
import { reloadAfterImport } from '../../api/sync.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { FileDrop } from '../../ui/form/FileDrop.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { spokenProperty } from '../../widgets/PropertyName.tsx'
import { useCurrentUser } from '../current-user.ts'
import { useSelectProperty } from '../properties.ts'

type Upload = { property: string; files: readonly File[] }

const notSent: UploadState = { sent: 0, reading: null }

/** Imports a Search Console export, a bulk export, or a similar CSV into a property. `onShown`: its figures are on screen now. */
export function ImportForm({ onShown }: { onShown?: () => void }) {
  const client = useQueryClient()
  const [property, setProperty] = useState('')
  const [files, setFiles] = useState<readonly File[]>([])
  const [asked, setAsked] = useState(false)
  const [state, setState] = useState(notSent)
  const upload = useMutation({
    mutationFn: ({ property: name, files: chosen }: Upload) => importFiles(name, chosen, setState),
    onSuccess: () => reloadAfterImport(client),
  })

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setAsked(true)
    const name = property.trim()
    if (name === '' || files.length === 0) return
    setState(notSent)
    upload.mutate({ property: name, files })
  }

  function choose(chosen: readonly File[]) {
    setFiles(chosen)
    upload.reset()
  }

  return (
    <div className="flex flex-col gap-5">
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <FileDrop
          label="Exported files"
          hint="A ZIP or CSV from Search Console's Export button, a CSV with date, clicks, impressions and CTR or position, or all files of a BigQuery bulk export"
          accept=".zip,.csv,.tsv,.json,.jsonl,.ndjson,.gz,text/csv,application/zip,application/gzip"
          multiple
          files={files}
          error={asked && files.length === 0 ? 'Choose a file to import' : undefined}
          onChoose={choose}
        />
        <Field
          label="Property name"
          hint="The property this data belongs to. A new name creates a new property."
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2048}
          value={property}
          error={asked && property.trim() === '' ? 'Enter the property this data belongs to' : undefined}
          onChange={(event) => setProperty(event.currentTarget.value)}
        />
        <Button type="submit" variant="primary" className="self-start" disabled={upload.isPending}>
          {upload.isPending ? 'Importing...' : 'Import'}
        </Button>
      </form>
      {upload.isPending && (
        <div className="text-sm text-muted">
          <Progress label="Import" fraction={fractionOf(state)} className="mb-1.5 h-1.5" />
          <output>{stepOf(state, files.length)}</output>
        </div>
      )}
      {upload.isError && <ImportRefusal error={upload.error} fileName={files.length === 1 ? (files[0]?.name ?? null) : null} />}
      {upload.isSuccess && <ImportResult answer={upload.data} {...(onShown ? { onShown } : {})} />}
    </div>
  )
}

/** Null while unknown: the files have arrived, but none has been read. */
function fractionOf({ sent, reading }: UploadState): number | null {
  if (sent < 1) return sent
  return reading && reading.rows > 0 ? reading.fraction : null
}

function stepOf({ sent, reading }: UploadState, count: number): string {
  const what = count === 1 ? 'the file' : `${formatCount(count)} files`
  if (sent < 1) return `Uploading ${what}`
  return reading && reading.rows > 0 ? `Reading ${what}: ${formatCount(reading.rows)} rows so far` : `Reading ${what}`
}

/** Why a file was refused, and the line. */
function ImportRefusal({ error, fileName }: { error: Error; fileName: string | null }) {
  const refusal = error instanceof ImportFailure ? error.refusal : null
  // Without a line the reason may be outside of the file, such as a full plan.
  const file = refusal?.file ?? (refusal?.line === undefined ? null : fileName)
  return (
    <div role="alert" className="flex items-start gap-2.5 rounded-control bg-critical-soft p-3">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-critical" />
      <div className="min-w-0 break-words">
        <p className="font-semibold">Nothing was imported</p>
        <p>
          {file !== null && `${file}`}
          {refusal?.line !== undefined && `, line ${refusal.line}`}
          {file !== null && ': '}
          {refusal?.message ??
            failureText(error, error instanceof NoAnswer ? 'The upload was interrupted. Check your connection and try again.' : undefined)}
        </p>
      </div>
    </div>
  )
}

/** What an import stored, to compare with the file. */
function ImportResult({ answer, onShown }: { answer: ImportAnswer; onShown?: () => void }) {
  const { selectedProperty } = useCurrentUser()
  const select = useSelectProperty()
  const navigate = useNavigate()

  function open() {
    onShown?.()
    void navigate(paths.dashboard)
  }

  function show() {
    if (answer.property === selectedProperty) open()
    else select.mutate(answer.property, { onSuccess: open })
  }

  const facts = [
    ['Dates', formatPeriod(answer, true)],
    ['Days', formatCount(answer.days)],
    ['Rows', formatCount(answer.rows)],
    ['Clicks', formatCount(answer.clicks)],
    ['Impressions', formatCount(answer.impressions)],
  ] as const
  return (
    <div className="rounded-control border border-line p-4">
      <output className="flex items-center gap-2 font-semibold break-words">
        <CircleCheck aria-hidden className="size-4 shrink-0 text-positive" />
        {answer.changed
          ? `Imported into ${spokenProperty(answer.property)}`
          : `This exact file was already imported into ${spokenProperty(answer.property)}`}
      </output>
      <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 tabular-nums">
        {facts.map(([term, fact]) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      {answer.notes.length > 0 && (
        <ul className="mt-3 list-disc space-y-1 pl-5 text-sm text-muted">
          {answer.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <Button className="mt-4" disabled={select.isPending} onClick={show}>
        Show on the dashboard
      </Button>
    </div>
  )
}
