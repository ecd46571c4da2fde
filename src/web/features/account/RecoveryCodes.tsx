import { Download } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'

/** Shown once; the server keeps no readable copy. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const list = useRef<HTMLUListElement>(null)
  // Before the dialog notices that the step before has taken the focus with it.
  useLayoutEffect(() => list.current?.focus(), [])
  const text = codes.join('\n')
  return (
    <div className="flex flex-col gap-5">
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-control bg-sunken p-4 outline-none xs:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="text-center">
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy" />
        <Button onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'ranklark-recovery-codes.txt')}>
          <Download aria-hidden />
          Download
        </Button>
        <Button variant="primary" className="ml-auto" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}
