import { storedChoice, useStoredChoice } from '../lib/storage.ts'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

export const themeNames: Record<Theme, string> = { light: 'Light', dark: 'Dark', system: 'System' }

// public/boot.js reads the same key before the first paint.
const theme = storedChoice<Theme>('ranklark-ui-theme', themes)

export const useTheme = (): Theme => useStoredChoice(theme)

export function saveTheme(choice: string): void {
  const known = themes.find((each) => each === choice)
  if (known !== undefined) theme.save(known)
}

/** Applies the chosen theme, including changes in another window or, for "system", of the system's theme. */
export function followTheme(): void {
  theme.subscribe(applyTheme)
  systemDark().addEventListener('change', applyTheme)
}

function applyTheme(): void {
  const chosen = theme.read()
  const dark = chosen === 'dark' || (chosen === 'system' && systemDark().matches)
  document.documentElement.classList.toggle('dark', dark)
  document.documentElement.classList.toggle('light', !dark)
}

function systemDark(): MediaQueryList {
  return window.matchMedia('(prefers-color-scheme: dark)')
}
