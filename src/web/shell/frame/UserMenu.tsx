import { LogOut, UserRound } from 'lucide-react'
import { useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { iconButtonClass } from '../../ui/Button.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { useLogout } from '../use-logout.ts'

export function UserMenu() {
  const navigate = useNavigate()
  const logout = useLogout()
  return (
    <Menu
      label="Account menu"
      triggerClass={iconButtonClass('max-lg:hidden')}
      trigger={<UserRound aria-hidden />}
      entries={[
        { kind: 'action', label: 'Profile', icon: <UserRound aria-hidden />, onSelect: () => void navigate(paths.account) },
        { kind: 'action', label: 'Log out', icon: <LogOut aria-hidden />, onSelect: () => logout.mutate() },
      ]}
    />
  )
}
