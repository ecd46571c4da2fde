import { readStored, writeStored } from '../lib/storage.ts'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

// public/boot.js reads the same key before the first paint.
const key = 'ranklark-ui-theme'

export function readTheme(): Theme {
  const stored = readStored(() => localStorage, key)
  return themes.find((theme) => theme === stored) ?? 'light'
}

export function saveTheme(theme: Theme): void {
  writeStored(() => localStorage, key, theme)
  applyTheme(theme)
}

/** Keeps "system" true when the system changes its mind while the page is open. */
export function followSystemTheme(): void {
  systemDark().addEventListener('change', () => applyTheme(readTheme()))
}

function applyTheme(theme: Theme): void {
  const dark = theme === 'dark' || (theme === 'system' && systemDark().matches)
  document.documentElement.classList.toggle('dark', dark)
  document.documentElement.classList.toggle('light', !dark)
}

function systemDark(): MediaQueryList {
  return window.matchMedia('(prefers-color-scheme: dark)')
}
