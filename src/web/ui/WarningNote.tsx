import { clsx } from 'clsx'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** A persistent problem of the card around it. */
export function WarningNote({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <p className={clsx('flex items-start gap-2 rounded-control bg-warning-soft p-3', className)}>
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}
