import { clsx } from 'clsx'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './Button.tsx'

type BannerTone = 'brand' | 'warning' | 'critical'

const tones: Record<BannerTone, { band: string; icon: string }> = {
  brand: { band: 'bg-brand-soft', icon: 'text-brand' },
  warning: { band: 'bg-warning-soft', icon: 'text-warning' },
  critical: { band: 'bg-critical-soft', icon: 'text-critical' },
}

type BannerProps = {
  tone: BannerTone
  /** Names the region for screen readers. */
  label: string
  icon: ReactNode
  children: ReactNode
  action?: ReactNode
  dismiss?: { label: string; onDismiss: () => void }
}

/** A notice across the page. */
export function Banner({ tone, label, icon, children, action, dismiss }: BannerProps) {
  return (
    <section aria-label={label} className={clsx('flex items-start gap-2.5 border-b border-line px-4 py-1 sm:px-6', tones[tone].band)}>
      <span className={clsx('shrink-0 py-2.5 [&_svg]:size-4', tones[tone].icon)}>{icon}</span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4">
        <div className="min-w-0 flex-1 basis-64 py-2">{children}</div>
        {action && <div className="pb-2 sm:pb-0">{action}</div>}
      </div>
      {dismiss && (
        <IconButton aria-label={dismiss.label} className="-mr-2.5 shrink-0" onClick={dismiss.onDismiss}>
          <X aria-hidden />
        </IconButton>
      )}
    </section>
  )
}
