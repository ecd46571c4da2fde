import type { ReactNode } from 'react'

/** Said by screen readers, not drawn. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>
}
