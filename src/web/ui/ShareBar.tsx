import { clsx } from 'clsx'

/** A share as a bar; its figure is next to it. */
export function ShareBar({ share, className }: { share: number; className?: string }) {
  return (
    <span aria-hidden className={clsx('block h-2 overflow-hidden rounded-sm bg-line', className)}>
      <span className="block h-full rounded-sm bg-brand" style={{ width: `${Math.min(1, share) * 100}%` }} />
    </span>
  )
}
