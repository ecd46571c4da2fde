import { Globe } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { buttonClass } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PropertyTitle } from '../widgets/PropertyTitle.tsx'
import { useCurrentUser } from './current-user.ts'

type PropertyScreenProps = {
  /** The title of the browser tab. */
  title: string
  heading: string
  /** What the screen needs a property for. */
  need: string
  children: (property: string) => ReactNode
}

/** A screen about the selected property. */
export function PropertyScreen({ title, heading, need, children }: PropertyScreenProps) {
  const { selectedProperty } = useCurrentUser()
  return (
    <>
      <title>{`${title} · Ranklark`}</title>
      {selectedProperty === null ? (
        <>
          <div className="mb-5">
            <PropertyTitle title={heading} property={null} />
          </div>
          <PropertyRequired>{need}</PropertyRequired>
        </>
      ) : (
        children(selectedProperty)
      )}
    </>
  )
}

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
