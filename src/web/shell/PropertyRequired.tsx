import { Globe } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { buttonClass } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

/** Replaces a screen about one property while none is selected (SPEC §2); says what the screen needs it for. */
export function PropertyRequired({ children }: { children: ReactNode }) {
  return (
    <Card>
      <EmptyState
        icon={<Globe aria-hidden />}
        title="Property Required"
        actions={
          <>
            <Link to={paths.account} className={buttonClass('primary')}>
              Select Property
            </Link>
            <Link to={paths.settings} className={buttonClass('secondary')}>
              Go to Settings
            </Link>
          </>
        }
      >
        {children}
      </EmptyState>
    </Card>
  )
}
