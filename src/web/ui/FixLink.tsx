import { Link } from 'react-router'
import { isScreen } from '../../contract/screens.ts'
import { buttonClass } from './Button.tsx'

/** A button that leads to where a connection problem is fixed, as the server says. */
export function FixLink({ label, href }: { label: string; href: string }) {
  const className = buttonClass('secondary')
  if (isScreen(href)) {
    return (
      <Link to={href} className={className}>
        {label}
      </Link>
    )
  }
  // The server's own paths leave the app and return; others open in a new tab.
  const external = !href.startsWith('/')
  return (
    <a href={href} className={className} {...(external ? { target: '_blank', rel: 'noreferrer' } : {})}>
      {label}
    </a>
  )
}
