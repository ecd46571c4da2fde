import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { MiddleCut } from '../../ui/MiddleCut.tsx'
import { useCopy } from '../../ui/use-copy.ts'

/** A page or query on one line, cut in its middle; on hover and focus it is told whole, and a click copies it. */
export function CopyableName({ name }: { name: string }) {
  const [open, setOpen] = useState(false)
  const { copied, copy } = useCopy(name)
  return (
    <span
      role="presentation"
      className="relative flex max-w-full min-w-0"
      onPointerEnter={() => setOpen(true)}
      onPointerLeave={() => setOpen(false)}
      onFocus={() => setOpen(true)}
      onBlur={() => setOpen(false)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false)
      }}
    >
      <button
        type="button"
        aria-label={`Copy ${name}`}
        className="group flex min-h-10 min-w-0 items-center gap-2 rounded-sm text-left text-text"
        onClick={() => void copy()}
      >
        <MiddleCut text={name} />
        <span className="text-muted group-hover:text-text [&_svg]:size-4">{copied ? <Check aria-hidden /> : <Copy aria-hidden />}</span>
      </button>
      <output className="sr-only">{copied && 'Copied'}</output>
      {open && (
        <span role="tooltip" className="pointer-events-none absolute bottom-full left-0 z-20 w-max max-w-[min(30rem,100%)] pb-1">
          <span className="block rounded-md bg-text px-2.5 py-1.5 text-sm wrap-anywhere whitespace-pre-wrap text-page shadow-float">
            {copied ? 'Copied' : name}
          </span>
        </span>
      )}
    </span>
  )
}
