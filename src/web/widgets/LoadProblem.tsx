import { failureText } from '../api/client.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'

type LoadProblemProps = {
  /** `alerts`, `keywords`: what was asked for. */ what: string
  property: string
  error: Error
  onRetry: () => void
}

/** Something of a property that could not be loaded: what happened, to which property, and how to go on. */
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
        {property}: {failureText(error)}
      </p>
    </ErrorState>
  )
}
