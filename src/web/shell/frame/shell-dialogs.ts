import { createContext, useContext } from 'react'

/** Dialogs that can be opened on every screen. */
export type ShellDialog = 'palette' | 'shortcuts' | 'new-alert'

/** A keyword or page opened from the palette. */
export type Recent = { kind: 'keyword' | 'page'; name: string; property: string }

export type ShellDialogsState = {
  open: ShellDialog | null
  /** Opens a dialog and closes any other. `text`: what the palette searches for. */
  show: (dialog: ShellDialog, text?: string) => void
  close: () => void
  /** What is typed into the palette, even before its code has loaded. */
  text: string
  setText: (text: string) => void
  /** The latest first; kept until the page is closed or the person logs out. */
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
