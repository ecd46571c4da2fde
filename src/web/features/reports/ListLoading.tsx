import { Skeleton } from '../../ui/Skeleton.tsx'

/** Some entries of a list that is being fetched. */
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
