import { clsx } from 'clsx'
import { Link, NavLink } from 'react-router'
import { paths } from '../../paths.ts'
import { Logo } from '../../ui/Logo.tsx'
import { useCurrentUser } from '../current-user.ts'
import { useCarriedTo } from './kept-params.ts'
import { nav } from './nav.ts'

export function Sidebar() {
  const withKeptParams = useCarriedTo()
  return (
    <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col border-r border-line bg-surface lg:flex">
      <div className="flex h-14 shrink-0 items-center px-5">
        <Link to={withKeptParams(paths.dashboard)} className="rounded-md">
          <Logo />
        </Link>
      </div>
      <nav aria-label="Main" className="flex-1 overflow-y-auto px-3 py-3">
        {nav.map((group) => (
          <div key={group.label} className="mb-5">
            <p id={`nav-${group.label}`} className="px-2 pb-1.5 text-xs font-medium text-muted">
              {group.label}
            </p>
            <ul aria-labelledby={`nav-${group.label}`}>
              {group.items.map(({ label, path, icon: Icon }) => (
                <li key={path}>
                  <NavLink to={withKeptParams(path)} className={({ isActive }) => navLinkClass(isActive)}>
                    <Icon aria-hidden className="size-4 shrink-0" />
                    {label}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <Person />
    </aside>
  )
}

export function navLinkClass(active: boolean): string {
  return clsx(
    'control mb-0.5 flex items-center gap-2.5 rounded-control px-2 font-medium transition-colors duration-150',
    active ? 'bg-brand-soft text-brand' : 'text-text hover:bg-sunken',
  )
}

/** Who is signed in. */
export function Person() {
  const user = useCurrentUser()
  return (
    <div className="border-t border-line px-5 py-3.5">
      <p className="truncate font-medium" title={user.username}>
        {user.username || 'User'}
      </p>
      <p className="truncate text-sm text-muted" title={user.email}>
        {user.email || 'No email address'}
      </p>
    </div>
  )
}
