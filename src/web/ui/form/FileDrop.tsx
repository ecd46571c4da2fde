import { clsx } from 'clsx'
import { FileUp } from 'lucide-react'
import { type DragEvent, useId, useState } from 'react'
import { formatCount } from '../../lib/format.ts'

type FileDropProps = {
  label: string
  hint: string
  accept: string
  files: readonly File[]
  /** Accepts several files at once. */
  multiple?: boolean
  error: string | undefined
  /** At least one file. */
  onChoose: (files: File[]) => void
}

/** A file input that also accepts dropped files. */
export function FileDrop({ label, hint, accept, files, multiple = false, error, onChoose }: FileDropProps) {
  const id = useId()
  const [over, setOver] = useState(false)

  function onDrop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }

  function take(list: FileList | null) {
    const chosen = [...(list ?? [])].slice(0, multiple ? undefined : 1)
    if (chosen.length > 0) onChoose(chosen)
  }

  const [first] = files
  const chosen = files.length > 1 ? `${formatCount(files.length)} files` : first?.name

  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <div
        className={clsx(
          'relative flex flex-col items-center gap-1 rounded-control border border-dashed px-4 py-6 text-center transition-colors duration-150 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-brand',
          over ? 'border-brand bg-brand-soft' : 'border-line-control hover:bg-sunken',
        )}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <FileUp aria-hidden className="size-5 text-muted" />
        <span className="max-w-full font-medium break-words">
          {chosen ?? (multiple ? 'Choose files, or drop them here' : 'Choose a file, or drop it here')}
        </span>
        <span id={`${id}-hint`} className="max-w-[60ch] text-sm text-muted">
          {hint}
        </span>
        {/* Covers the whole box, so that a click anywhere opens the file chooser. */}
        <input
          id={id}
          type="file"
          accept={accept}
          multiple={multiple}
          aria-describedby={`${id}-hint${error === undefined ? '' : ` ${id}-error`}`}
          aria-invalid={error !== undefined}
          className="absolute inset-0 cursor-pointer opacity-0"
          onChange={(event) => {
            take(event.currentTarget.files)
          }}
        />
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-critical">
          {error}
        </p>
      )}
    </div>
  )
}
