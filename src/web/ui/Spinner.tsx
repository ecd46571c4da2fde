import { LoaderCircle } from 'lucide-react'

/** For short waits where the shape of the result is unknown. */
export function Spinner({ label }: { label: string }) {
  return (
    <output className="flex flex-col items-center gap-3 py-14 text-muted">
      <LoaderCircle aria-hidden className="size-6 animate-spin text-brand" />
      {label}
    </output>
  )
}
