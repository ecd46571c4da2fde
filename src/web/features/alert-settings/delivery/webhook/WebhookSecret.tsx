import { useEffect, useId, useRef } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'

/** Shown once: the server never returns it again. */
export function WebhookSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section aria-labelledby={id} className="rounded-control bg-brand-soft p-4">
      <h4 ref={heading} id={id} tabIndex={-1} className="font-semibold outline-none">
        Your secret (shown only once)
      </h4>
      <p className="mt-2 wrap-anywhere">
        <code>{secret}</code>
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton text={secret} label="Copy secret" />
        <Button onClick={onDone}>I've saved it</Button>
      </div>
    </section>
  )
}
