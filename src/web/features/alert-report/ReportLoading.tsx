import { Skeleton } from '../../ui/Skeleton.tsx'

/** As large as what comes, so that little moves. */
export function ReportLoading() {
  return (
    <div aria-busy className="flex flex-col gap-5">
      <output className="sr-only">Loading the report</output>
      <div>
        <Skeleton className="h-6 w-44" />
        <Skeleton className="mt-3 h-7 w-3/5" />
        <Skeleton className="mt-2 h-5 w-4/5" />
        <Skeleton className="mt-5 h-10 w-80 max-w-full lg:h-9" />
      </div>
      <Skeleton className="h-36" />
      <Skeleton className="h-96" />
      <div className="grid gap-5 lg:grid-cols-2">
        <Skeleton className="h-60" />
        <Skeleton className="h-60" />
      </div>
    </div>
  )
}
