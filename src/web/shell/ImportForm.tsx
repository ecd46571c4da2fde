import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { importFile } from '../api/import.ts'
import { reloadAfterImport } from '../api/sync.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { FileDrop } from '../ui/FileDrop.tsx'
import { Progress } from '../ui/Progress.tsx'
import { ImportRefusal } from './ImportRefusal.tsx'
import { ImportResult } from './ImportResult.tsx'

type Upload = { property: string; file: File }

/** Puts a Search Console export, or any CSV of its kind, into a property. `onShown`: its figures are on screen now. */
export function ImportForm({ onShown }: { onShown?: () => void }) {
  const client = useQueryClient()
  const [property, setProperty] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [asked, setAsked] = useState(false)
  const [sent, setSent] = useState(0)
  const upload = useMutation({
    mutationFn: ({ property: name, file: chosen }: Upload) => importFile(name, chosen, setSent),
    onSuccess: () => reloadAfterImport(client),
  })

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setAsked(true)
    const name = property.trim()
    if (name === '' || file === null) return
    setSent(0)
    upload.mutate({ property: name, file })
  }

  function choose(chosen: File) {
    setFile(chosen)
    upload.reset()
  }

  return (
    <div className="flex flex-col gap-5">
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <FileDrop
          label="Export file"
          hint="The ZIP or CSV of Search Console's Export button, or a CSV with date, clicks, impressions and ctr or position"
          accept=".zip,.csv,text/csv,application/zip"
          file={file}
          error={asked && file === null ? 'Choose a file to import' : undefined}
          onChoose={choose}
        />
        <Field
          label="Property name"
          hint="The property these figures belong to; a new name makes a new one"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2048}
          value={property}
          error={asked && property.trim() === '' ? 'Name the property these figures belong to' : undefined}
          onChange={(event) => setProperty(event.currentTarget.value)}
        />
        <Button type="submit" variant="primary" className="self-start" disabled={upload.isPending}>
          {upload.isPending ? 'Importing...' : 'Import'}
        </Button>
      </form>
      {upload.isPending && (
        <div className="text-sm text-muted">
          <Progress label="Import" fraction={sent < 1 ? sent : null} className="mb-1.5 h-1.5" />
          <output>{sent < 1 ? 'Uploading the file' : 'Reading the file'}</output>
        </div>
      )}
      {upload.isError && <ImportRefusal error={upload.error} fileName={file?.name ?? null} />}
      {upload.isSuccess && <ImportResult answer={upload.data} {...(onShown ? { onShown } : {})} />}
    </div>
  )
}
