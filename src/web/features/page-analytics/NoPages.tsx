import { FileX2 } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

/** In the place of the pages (SPEC §2), and what to do about it. */
export function NoPages({ search, onClear }: { search: string | undefined; onClear: () => void }) {
  return (
    <EmptyState
      icon={<FileX2 aria-hidden />}
      title="No page data available. Please ensure your Google Search Console is connected."
      actions={
        search === undefined ? (
          <Link to={paths.account} className={buttonClass()}>
            Check connection
          </Link>
        ) : (
          <Button onClick={onClear}>Clear search</Button>
        )
      }
    >
      {search === undefined ? (
        <p>Google reports no pages for these days.</p>
      ) : (
        <p className="wrap-anywhere">No page with “{search}” in its URL had impressions on these days.</p>
      )}
    </EmptyState>
  )
}
