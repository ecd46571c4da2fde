import { useMemo, useRef, useState } from 'react'
import type { Recent, ShellDialog, ShellDialogsState } from './shell-dialogs.ts'

const mostRecent = 5

/** What the dialogs of the shell have in common; for AppShell alone. */
export function useDialogsState(): ShellDialogsState {
  const [open, setOpen] = useState<ShellDialog | null>(null)
  const [text, setText] = useState('')
  const [recent, setRecent] = useState<readonly Recent[]>([])
  const opener = useRef<HTMLElement | null>(null)
  return useMemo(
    () => ({
      open,
      show(dialog, typed = '') {
        if (open === null) opener.current = focused()
        setText(typed)
        setOpen(dialog)
      },
      close: () => setOpen(null),
      text,
      setText,
      recent,
      remember: (choice) => setRecent((before) => [choice, ...before.filter((each) => !same(each, choice))].slice(0, mostRecent)),
      opener: () => (opener.current === null ? false : opener.current.isConnected ? opener.current : null),
    }),
    [open, text, recent],
  )
}

/** The body has it while nothing else does. */
function focused(): HTMLElement | null {
  const element = document.activeElement
  return element instanceof HTMLElement && element !== document.body ? element : null
}

function same(a: Recent, b: Recent): boolean {
  return a.kind === b.kind && a.name === b.name && a.property === b.property
}
