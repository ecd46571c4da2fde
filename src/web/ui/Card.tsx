import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'

export function Card({ className, ...props }: ComponentProps<'div'>) {
  return <div className={clsx('rounded-card border border-line bg-surface p-5 sm:p-6', className)} {...props} />
}

type SectionCardProps = { title: string; description?: ReactNode; badge?: ReactNode; children: ReactNode }

/** A card with a heading and a description. */
export function SectionCard({ title, description, badge, children }: SectionCardProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-card border border-line bg-surface p-5 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        {badge}
      </div>
      {description && <p className="mt-1 max-w-[70ch] text-muted">{description}</p>}
      <div className="mt-5">{children}</div>
    </section>
  )
}
