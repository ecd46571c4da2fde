import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

/** In the place of keywords while there are none at all. */
export function NoKeywords() {
  return (
    <EmptyState
      icon={<KeyRound aria-hidden />}
      title="No keyword data available. Please ensure your Google Search Console is connected."
      actions={
        <Link to={paths.account} className={buttonClass()}>
          Check connection
        </Link>
      }
    >
      This property’s keywords appear here once its data is stored.
    </EmptyState>
  )
}

type NothingMatchesProps = {
  icon: ReactNode
  title: string
  onClear: (change: { brand: 'all'; search: '' }) => void
}

/** In the place of keywords while the filters let none through. */
export function NothingMatches({ icon, title, onClear }: NothingMatchesProps) {
  return (
    <EmptyState
      icon={icon}
      title={title}
      actions={<Button onClick={() => onClear({ brand: 'all', search: '' })}>Show all keywords</Button>}
    >
      Try another search, or show all keywords.
    </EmptyState>
  )
}
