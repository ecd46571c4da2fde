import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { iconButtonClass } from '../ui/Button.tsx'
import { Menu } from '../ui/Menu.tsx'
import { readTheme, saveTheme, themes } from './theme.ts'

const choices = [
  { value: 'light', label: 'Light', icon: <Sun aria-hidden /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden /> },
  { value: 'system', label: 'System', icon: <Monitor aria-hidden /> },
]

export function ThemeMenu() {
  const [theme, setTheme] = useState(readTheme)
  function choose(value: string) {
    const next = themes.find((known) => known === value)
    if (next === undefined) return
    setTheme(next)
    saveTheme(next)
  }
  return (
    <Menu
      label="Theme"
      triggerClass={iconButtonClass()}
      trigger={
        <>
          <Sun aria-hidden className="dark:hidden" />
          <Moon aria-hidden className="hidden dark:block" />
        </>
      }
      entries={[{ kind: 'choices', label: 'Theme', value: theme, choices, onChange: choose }]}
    />
  )
}
