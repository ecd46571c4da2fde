import { createContext, useContext } from 'react'

/** Dialogs that can be opened on every screen. */
export type ShellDialog = 'palette' | 'shortcuts' | 'new-alert'

/** A keyword or page opened from the palette. */
export type Recent = { kind: 'keyword' | 'page'; name: string; property: string }

export type ShellDialogsState = {
  open: ShellDialog | null
  /** Opens a dialog and closes any other. `text`: the palette's search text. */
  show: (dialog: ShellDialog, text?: string) => void
  close: () => void
  /** The palette's input, even before its code has loaded. */
  text: string
  setText: (text: string) => void
  /** Latest first; kept until the page is closed or the person logs out. */
  recent: readonly Recent[]
  remember: (choice: Recent) => void
  /**
   * What had the focus before the first dialog opened; `false` if nothing did, null if it is gone since, like a menu entry: then the focus
   * goes to its predecessor.
   */
  opener: () => HTMLElement | false | null
}

export const ShellDialogsContext = createContext<ShellDialogsState | null>(null)

/** @throws outside of the shell */
export function useShellDialogs(): ShellDialogsState {
  const state = useContext(ShellDialogsContext)
  if (state === null) throw new Error('useShellDialogs must be used inside AppShell')
  return state
}

export const palettePlaceholder = 'Search keywords, pages or metrics...'
