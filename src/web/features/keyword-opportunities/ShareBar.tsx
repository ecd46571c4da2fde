import { clsx } from 'clsx'

/** A part of a whole as a bar; the figure stands beside it. */
export function ShareBar({ share, className }: { share: number; className?: string }) {
  return (
    <span aria-hidden className={clsx('block h-2 overflow-hidden rounded-sm bg-line', className)}>
      <span className="block h-full rounded-sm bg-brand" style={{ width: `${Math.min(1, share) * 100}%` }} />
    </span>
  )
}

/** `37%`; no part that is there is none, and none that is not whole is all. */
export function formatShare(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1) return '<1%'
  if (percent < 100 && percent > 99) return '>99%'
  return `${Math.round(percent)}%`
}
