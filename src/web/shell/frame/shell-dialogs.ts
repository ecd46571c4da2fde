import { createContext, useContext } from 'react'

/** Dialogs that can be opened on every screen. */
export type ShellDialog = 'palette' | 'shortcuts' | 'new-alert'

/** Something found with the palette and opened. */
export type Recent = { kind: 'keyword' | 'page'; name: string; property: string }

export type ShellDialogsState = {
  open: ShellDialog | null
  /** One at a time: another one closes. `text`: what the palette then looks for. */
  show: (dialog: ShellDialog, text?: string) => void
  close: () => void
  /** What is typed in the palette, also before its code is there. */
  text: string
  setText: (text: string) => void
  /** The latest first; forgotten with the page, or when somebody logs out. */
  recent: readonly Recent[]
  remember: (choice: Recent) => void
  /**
   * What had the focus before the first of the dialogs was opened; `false` if nothing did, null if it is gone since, as an
   * entry of a menu is: then what had it before that gets it.
   */
  opener: () => HTMLElement | false | null
}

export const ShellDialogsContext = createContext<ShellDialogsState | null>(null)

/** @throws outside the shell */
export function useShellDialogs(): ShellDialogsState {
  const state = useContext(ShellDialogsContext)
  if (state === null) throw new Error('useShellDialogs must be used inside AppShell')
  return state
}

export const palettePlaceholder = 'Search keywords, pages or metrics...'
