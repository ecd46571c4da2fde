import { CircleHelp, Compass, FileQuestion, Keyboard, LifeBuoy } from 'lucide-react'
import { useNavigate } from 'react-router'
import { resetWelcome } from '../welcome/welcome.ts'
import { paths } from '../../paths.ts'
import { iconButtonClass } from '../../ui/Button.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { useShellDialogs } from '../frame/shell-dialogs.ts'

/** Where somebody turns who does not know how to go on (OPEN-POINTS 2). */
export function HelpMenu() {
  const { show } = useShellDialogs()
  const navigate = useNavigate()
  return (
    <Menu
      label="Help"
      triggerClass={iconButtonClass()}
      trigger={<CircleHelp aria-hidden />}
      entries={[
        { kind: 'link', label: 'Help page', icon: <FileQuestion aria-hidden />, href: '/help' },
        { kind: 'action', label: 'Contact support', icon: <LifeBuoy aria-hidden />, onSelect: () => void navigate(paths.contact) },
        { kind: 'action', label: 'Keyboard shortcuts', icon: <Keyboard aria-hidden />, onSelect: () => show('shortcuts') },
        { kind: 'action', label: 'Show the welcome tour again', icon: <Compass aria-hidden />, onSelect: resetWelcome },
        { kind: 'note', label: `Ranklark ${import.meta.env.VERSION}` },
      ]}
    />
  )
}
