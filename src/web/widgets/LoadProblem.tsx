import { propertyName } from '../../core/accounts/property-name.ts'
import { failureText } from '../api/client.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'

type LoadProblemProps = {
  /** `alerts`, `keywords`: what was requested. */ what: string
  property: string
  error: Error
  onRetry: () => void
}

/** Shown if a property's data could not be loaded: what happened, for which property, and how to continue. */
export function LoadProblem({ what, property, error, onRetry }: LoadProblemProps) {
  return (
    <ErrorState
      title={`Unable to load ${what}`}
      actions={
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      <p className="wrap-anywhere">
        {propertyName(property)}: {failureText(error)}
      </p>
    </ErrorState>
  )
}

/** Shown if a property's alerts could not be loaded. */
export function AlertsProblem(props: { property: string; error: Error; onRetry: () => void }) {
  return <LoadProblem what="alerts" {...props} />
}
