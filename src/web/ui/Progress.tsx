import { clsx } from 'clsx'

type ProgressProps = {
  label: string
  /** From 0 to 1; null while nobody can say. */
  fraction: number | null
  className?: string
}

export function Progress({ label, fraction, className }: ProgressProps) {
  const percent = fraction === null ? null : Math.round(fraction * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent === null ? {} : { 'aria-valuenow': percent })}
      className={clsx('h-1.5 overflow-hidden rounded-full bg-line', className)}
    >
      <div
        className={clsx('h-full rounded-full bg-brand transition-[width] duration-180', percent === null && 'animate-pulse')}
        style={{ width: percent === null ? '40%' : `${percent}%` }}
      />
    </div>
  )
}
