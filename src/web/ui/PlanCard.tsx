import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Plan } from '../../contract/billing.ts'
import { formatDollars } from '../lib/format.ts'
import { Skeleton } from './Skeleton.tsx'

type PlanCardProps = {
  plan: Plan
  heading: 'h2' | 'h3'
  badge?: ReactNode
  /** Highlighted: the selected plan, or the one in force. */
  marked: boolean
  /** The button. */
  children: ReactNode
}

/** Tells screen readers which plan a button is about. */
export const planHeadingId = ({ id }: Plan): string => `plan-${id}`

export function PlanCard({ plan, heading: Heading, badge, marked, children }: PlanCardProps) {
  const id = planHeadingId(plan)
  return (
    <article
      aria-labelledby={id}
      className={clsx(
        'flex h-full flex-col rounded-card border bg-surface p-5 transition-[border-color,box-shadow] duration-150 sm:p-6',
        marked ? 'border-brand ring-1 ring-brand' : 'border-line',
      )}
    >
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-2">
        <Heading id={id} className="text-base font-semibold">
          {plan.name}
        </Heading>
        {badge}
      </div>
      <p className="mt-3 flex items-baseline gap-1">
        <span className="text-[2rem] leading-10 font-semibold tracking-tight tabular-nums">{formatDollars(plan.price)}</span>
        <span className="text-muted">/month</span>
      </p>
      <PlanFeatures className="mt-4 mb-6 border-t border-line pt-5" features={plan.features} />
      <div className="mt-auto">{children}</div>
    </article>
  )
}

export function PlanFeatures({ features, className }: { features: readonly string[]; className?: string }) {
  return (
    <ul className={clsx('flex flex-col gap-2.5', className)}>
      {features.map((feature) => (
        <li key={feature} className="flex items-start gap-2.5">
          <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-positive" />
          {feature}
        </li>
      ))}
    </ul>
  )
}

/** Takes the size of three plans side by side. */
export function PlanCardsLoading() {
  return (
    <div aria-busy>
      <output className="sr-only">Loading plans</output>
      <PlanGrid>
        <Skeleton className="h-[21rem] rounded-card md:h-[26rem] xl:h-[24.5rem]" />
        <Skeleton className="h-[21rem] rounded-card md:h-[26rem] xl:h-[24.5rem]" />
        <Skeleton className="h-[21rem] rounded-card md:h-[26rem] xl:h-[24.5rem]" />
      </PlanGrid>
    </div>
  )
}

export function PlanGrid({ children }: { children: ReactNode }) {
  return <div className="grid gap-4 md:grid-cols-3 lg:gap-5">{children}</div>
}
