import { failureText } from '../api/client.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'

/** The alerts of a property that could not be loaded. */
export function AlertsProblem({ property, error, onRetry }: { property: string; error: Error; onRetry: () => void }) {
  return (
    <ErrorState
      title="Unable to load alerts"
      actions={
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      <p className="wrap-anywhere">
        {property}: {failureText(error, error.message)}
      </p>
    </ErrorState>
  )
}
