import { TriangleAlert } from 'lucide-react'

/** Why a rule could not be judged the last time. */
export function RuleProblem({ children }: { children: string }) {
  return (
    <p className="mt-3 flex items-start gap-2 rounded-control bg-warning-soft p-3">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}
