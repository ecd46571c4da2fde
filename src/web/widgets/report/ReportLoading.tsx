import { Skeleton } from '../../ui/Skeleton.tsx'

/** The size of a report, so that little moves. */
export function ReportLoading() {
  return (
    <div aria-busy className="flex flex-col gap-4 xl:gap-5">
      <output className="sr-only">Loading the report</output>
      <Skeleton className="h-5 w-4/5" />
      <div className="grid grid-cols-1 gap-3 xs:grid-cols-2 xl:grid-cols-4">
        {['clicks', 'impressions', 'ctr', 'position'].map((figure) => (
          <Skeleton key={figure} className="h-37 rounded-card!" />
        ))}
      </div>
      <Skeleton className="h-98 rounded-card!" />
      <Skeleton className="h-160 rounded-card!" />
    </div>
  )
}
