import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

type ErrorStateProps = { title: string; children: ReactNode; actions?: ReactNode }

/** What went wrong and what to do. Announced, because it replaces the content. */
export function ErrorState({ title, children, actions }: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-col items-center px-4 py-10 text-center">
      <CircleAlert aria-hidden className="size-8 text-critical" />
      <h2 className="mt-3 text-base font-semibold">{title}</h2>
      <div className="mt-1 max-w-[60ch] text-muted">{children}</div>
      {actions && <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}
