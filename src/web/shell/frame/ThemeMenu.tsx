import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react'
import { iconButtonClass } from '../../ui/Button.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { saveTheme, type Theme, themeNames, themes, useTheme } from '../theme.ts'

const icons: Record<Theme, LucideIcon> = { light: Sun, dark: Moon, system: Monitor }
const choices = themes.map((value) => {
  const Icon = icons[value]
  return { value, label: themeNames[value], icon: <Icon aria-hidden /> }
})

export function ThemeMenu() {
  const theme = useTheme()
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
      entries={[{ kind: 'choices', label: 'Theme', value: theme, choices, onChange: saveTheme }]}
    />
  )
}
