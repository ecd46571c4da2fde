import { Globe } from 'lucide-react'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

export function SitesLoading() {
  return (
    <div>
      <output className="mb-3 block text-muted">Loading your website properties...</output>
      <div className="flex flex-col gap-2">
        <Skeleton className="h-11" />
        <Skeleton className="h-11" />
        <Skeleton className="h-11" />
      </div>
    </div>
  )
}

export function SitesEmpty({ onRetry }: { onRetry: () => void }) {
  return (
    <EmptyState
      icon={<Globe aria-hidden />}
      title="No Properties Found"
      actions={
        <>
          <a href="https://search.google.com/search-console" target="_blank" rel="noreferrer" className={buttonClass('primary')}>
            Open Google Search Console
          </a>
          <Button onClick={onRetry}>Check again</Button>
        </>
      }
    >
      Your Google account has no Search Console properties yet. Add your site there, then come back.
    </EmptyState>
  )
}
