import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../ui/Button.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { formatCount } from '../../lib/format.ts'
import { pagesOf, type PageSize, pageSizes } from './history-search.ts'

type PagerProps = { page: number; size: PageSize; total: number; onChange: (change: { page: number; size?: PageSize }) => void }

/** Which of all rows are shown, and how to reach the others. */
export function Pager({ page, size, total, onChange }: PagerProps) {
  const first = (page - 1) * size + 1
  const last = Math.min(total, page * size)
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-3 sm:px-6">
      <output className="text-muted tabular-nums">
        {first === last ? formatCount(first) : `${formatCount(first)}–${formatCount(last)}`} of {formatCount(total)}{' '}
        {total === 1 ? 'alert' : 'alerts'}
      </output>
      {total > pageSizes[0] && (
        <div className="flex items-center gap-1">
          <div className="mr-2 w-36">
            <Select
              label="Rows per page"
              hideLabel
              value={String(size)}
              choices={pageSizes.map((each) => ({ value: String(each), label: `${each} per page` }))}
              placeholder=""
              onChange={(value) => onChange({ page: 1, size: pageSizes.find((each) => String(each) === value) ?? size })}
            />
          </div>
          <PageButton label="Previous page" possible={page > 1} onPress={() => onChange({ page: page - 1 })}>
            <ChevronLeft aria-hidden />
          </PageButton>
          <PageButton label="Next page" possible={page < pagesOf(total, size)} onPress={() => onChange({ page: page + 1 })}>
            <ChevronRight aria-hidden />
          </PageButton>
        </div>
      )}
    </nav>
  )
}

type PageButtonProps = { label: string; possible: boolean; onPress: () => void; children: ReactNode }

/** Keeps the focus at either end: a disabled button would lose it. */
function PageButton({ label, possible, onPress, children }: PageButtonProps) {
  return (
    <IconButton
      aria-label={label}
      aria-disabled={!possible}
      className="aria-disabled:cursor-not-allowed! aria-disabled:opacity-60"
      onClick={() => {
        if (possible) onPress()
      }}
    >
      {children}
    </IconButton>
  )
}
