import { lazy, Suspense, useState } from 'react'
import { anyOrder, useListView } from '../use-list-view.ts'
import { detailOf, detailView, showing } from './detail-link.ts'

const DetailSheet = lazy(async () => ({ default: (await import('./DetailSheet.tsx')).DetailSheet }))

/** Without a comparison, the list below the panel isn't sorted by change either. */
const overList = { ...detailView, ...anyOrder } as const

/**
 * Everything about the page (`?page=`) or query (`?keyword=`) in the URL, over the screen that contains this; `detailLink` creates links to
 * it. Its code loads when somebody opens it.
 */
export function DetailPanel({ property }: { property: string }) {
  const [view, show] = useListView(overList)
  const detail = detailOf(view)
  // Still there while it slides out.
  const [last, setLast] = useState(detail)
  if (detail !== null && (detail.kind !== last?.kind || detail.name !== last.name)) setLast(detail)
  if (last === null) return null
  return (
    <Suspense>
      <DetailSheet
        property={property}
        detail={detail ?? last}
        open={detail !== null}
        view={view}
        onShow={show}
        onClose={() => show({ ...showing(null), chart: 'clicks' })}
      />
    </Suspense>
  )
}
