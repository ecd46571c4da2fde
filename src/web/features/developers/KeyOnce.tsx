import { useEffect, useRef } from 'react'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'

export function KeyOnce({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
  const shown = useRef<HTMLInputElement>(null)
  // Ready to be copied by hand where the browser does not let us.
  useEffect(() => shown.current?.select(), [])
  return (
    <div className="flex flex-col gap-5">
      <input
        ref={shown}
        readOnly
        aria-label="API key"
        value={apiKey}
        onFocus={(event) => event.currentTarget.select()}
        className="control w-full min-w-0 rounded-control border border-line-control bg-sunken px-3 font-mono text-sm"
      />
      <p className="text-muted">Treat it like a password: anyone who has it can use it. If it leaks, revoke it here.</p>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton text={apiKey} label="Copy key" />
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}
