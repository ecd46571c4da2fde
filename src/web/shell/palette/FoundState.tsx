import { failureText } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { Found } from './use-found.ts'

type FoundStateProps = { found: Found; property: string | null; text: string }

/** What there is to say about keywords and pages, where there are none to show. */
export function FoundState({ found, property, text }: FoundStateProps) {
  if (property === null) {
    return <p className="px-2.5 py-3 text-muted">No property selected. Select one to find its keywords and pages.</p>
  }
  switch (found.state) {
    case 'idle':
      return null
    case 'loading':
      return <Loading />
    case 'failed':
      return (
        <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 px-2.5 py-3">
          <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
            <span className="font-medium">Unable to search keywords and pages</span>
            <span className="block text-muted">
              {property}: {failureText(found.error)}
            </span>
          </p>
          <Button onClick={found.retry}>Try again</Button>
        </div>
      )
    case 'found':
      if (found.groups.length > 0) return null
      return (
        <p className="px-2.5 py-3 wrap-anywhere text-muted">
          No keywords or pages match “{text}” for {property} in the last 28 days.
        </p>
      )
  }
}

function Loading() {
  return (
    <div aria-busy className="px-2.5 py-1.5">
      <output className="sr-only">Searching keywords and pages</output>
      <Skeleton className="mt-1 mb-3 h-4 w-20" />
      {['w-2/3', 'w-1/2', 'w-3/5'].map((width) => (
        <div key={width} className="flex h-10 items-center gap-2.5 lg:h-9">
          <Skeleton className="size-4" />
          <Skeleton className={`h-4 ${width}`} />
          <Skeleton className="ml-auto h-4 w-16" />
        </div>
      ))}
    </div>
  )
}
