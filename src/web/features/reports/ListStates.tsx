import { failureText } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

type LoadFailureProps = {
  /** `your schedules`. */
  what: string
  error: Error
  onRetry: () => void
}

/** Shown if a list of one's own failed to load, with how to continue. */
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

/** Placeholder entries for a list that is loading. */
export function ListLoading({ what }: { what: string }) {
  return (
    <div aria-busy className="flex flex-col gap-4">
      <output className="sr-only">Loading {what}</output>
      <Skeleton className="h-10 w-36 rounded-control! lg:h-9" />
      <Skeleton className="h-40 rounded-card!" />
      <Skeleton className="h-40 rounded-card!" />
    </div>
  )
}
