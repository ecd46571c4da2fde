import type { ReactNode } from 'react'

type StateProps = { icon: ReactNode; title: string; children: ReactNode; actions?: ReactNode }

/** What would be here, why it isn't, and what to do. */
export function EmptyState({ icon, title, children, actions }: StateProps) {
  return (
    <div className="flex flex-col items-center px-4 py-10 text-center [&>svg]:size-8 [&>svg]:text-muted">
      {icon}
      <h2 className="mt-3 text-base font-semibold">{title}</h2>
      <div className="mt-1 max-w-[60ch] text-muted">{children}</div>
      {actions && <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}
