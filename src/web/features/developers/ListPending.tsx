import { failureText } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

type ListPendingProps = {
  /** `your keys`. */
  what: string
  error: Error | null
  onRetry: () => void
}

/** Replaces a list that is loading, which is as tall as an empty one, or failed to load. */
export function ListPending({ what, error, onRetry }: ListPendingProps) {
  if (error === null) {
    return (
      <div aria-busy className="flex flex-col gap-4">
        <output className="sr-only">Loading...</output>
        <Skeleton className="h-19" />
        <Skeleton className="h-19" />
      </div>
    )
  }
  return (
    <ErrorState
      title={`Unable to load ${what}`}
      actions={
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {failureText(error)}
    </ErrorState>
  )
}
