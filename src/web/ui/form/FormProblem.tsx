import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** Why a form was refused, if no single field is the reason. Announced when it appears. */
export function FormProblem({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="flex items-start gap-2 rounded-control bg-critical-soft p-3">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-critical" />
      <p className="min-w-0 flex-1">{children}</p>
    </div>
  )
}
