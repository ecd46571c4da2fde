import { failureText } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'

type LoadFailureProps = {
  /** `your schedules`. */
  what: string
  error: Error
  onRetry: () => void
}

/** A list of one's own that could not be loaded, and how to go on. */
export function LoadFailure({ what, error, onRetry }: LoadFailureProps) {
  return (
    <Card>
      <ErrorState
        title={`Couldn't load ${what}`}
        actions={
          <Button variant="primary" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        {failureText(error)}
      </ErrorState>
    </Card>
  )
}
