import { clsx } from 'clsx'
import type { ReactNode } from 'react'

type Tone = 'brand' | 'positive' | 'warning' | 'critical' | 'unknown'

const tones: Record<Tone, string> = {
  brand: 'bg-brand-soft text-brand',
  positive: 'bg-positive-soft text-positive',
  warning: 'bg-warning-soft text-warning',
  critical: 'bg-critical-soft text-critical',
  unknown: 'bg-sunken text-muted',
}

type BadgeProps = { tone?: Tone; icon?: ReactNode; children: ReactNode; className?: string }

export function Badge({ tone = 'unknown', icon, children, className }: BadgeProps) {
  return (
    <span
      className={clsx(
        'inline-flex h-6 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap [&_svg]:size-3.5',
        tones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  )
}
