import { Check, Copy } from 'lucide-react'
import { MiddleCut } from '../../ui/MiddleCut.tsx'
import { Tooltip } from '../../ui/overlay/Tooltip.tsx'
import { useCopy } from '../../ui/CopyButton.tsx'

/** A page or query on one line, truncated in the middle; hover and focus show all of it, and a click copies it. */
export function CopyableName({ name }: { name: string }) {
  const { copied, copy } = useCopy(name)
  return (
    <Tooltip wide content={copied ? 'Copied' : name}>
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
    </Tooltip>
  )
}
