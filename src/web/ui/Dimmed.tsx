import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** Dims its content while newer content loads. */
export function Dimmed({ when, className, children }: { when: boolean; className?: string; children: ReactNode }) {
  return (
    <div aria-busy={when} className={clsx('transition-opacity duration-150', when && 'opacity-50', className)}>
      {children}
    </div>
  )
}
