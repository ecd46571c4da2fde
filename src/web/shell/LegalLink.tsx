import { Link } from 'react-router'
import { isScreen } from '../../contract/screens.ts'

/** A page of the small print; its name alone while there is no such page. */
export function LegalLink({ path, name }: { path: string; name: string }) {
  if (!isScreen(path)) return name
  return (
    <Link to={path} className="underline underline-offset-2">
      {name}
    </Link>
  )
}
