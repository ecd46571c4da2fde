import { Skeleton } from '../../ui/Skeleton.tsx'
import { LoadFailure } from '../../widgets/LoadProblem.tsx'

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
  return <LoadFailure title={`Unable to load ${what}`} error={error} onRetry={onRetry} />
}
