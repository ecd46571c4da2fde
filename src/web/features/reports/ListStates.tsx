import { Card } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { LoadFailure } from '../../widgets/LoadProblem.tsx'

type ListFailureProps = {
  /** `your schedules`. */
  what: string
  error: Error
  onRetry: () => void
}

/** Shown if a list of the person's own items failed to load, with a way to continue. */
export function ListFailure({ what, ...failure }: ListFailureProps) {
  return (
    <Card>
      <LoadFailure title={`Couldn't load ${what}`} {...failure} />
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
