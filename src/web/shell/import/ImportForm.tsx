import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { importFiles, type UploadState } from '../../api/import.ts'
import { reloadAfterImport } from '../../api/sync.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { FileDrop } from '../../ui/form/FileDrop.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { ImportRefusal } from './ImportRefusal.tsx'
import { ImportResult } from './ImportResult.tsx'

type Upload = { property: string; files: readonly File[] }

const notSent: UploadState = { sent: 0, reading: null }

/** Puts a Search Console export, a bulk export, or any CSV of their kind into a property. `onShown`: its figures are on screen now. */
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
          label="Export files"
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

/** Null while nobody can say: the files have arrived, and none of them was read yet. */
function fractionOf({ sent, reading }: UploadState): number | null {
  if (sent < 1) return sent
  return reading && reading.rows > 0 ? reading.fraction : null
}

function stepOf({ sent, reading }: UploadState, count: number): string {
  const what = count === 1 ? 'the file' : `${formatCount(count)} files`
  if (sent < 1) return `Uploading ${what}`
  return reading && reading.rows > 0 ? `Reading ${what}: ${formatCount(reading.rows)} rows so far` : `Reading ${what}`
}
