import { LoaderCircle } from 'lucide-react'

/** For what takes a moment and has no shape yet. */
export function Spinner({ label }: { label: string }) {
  return (
    <output className="flex flex-col items-center gap-3 py-14 text-muted">
      <LoaderCircle aria-hidden className="size-6 animate-spin text-brand" />
      {label}
    </output>
  )
}
