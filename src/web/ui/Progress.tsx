import { clsx } from 'clsx'

type ProgressProps = {
  label: string
  /** From 0 to 1; null if unknown. */
  fraction: number | null
  className?: string
}

const bar =
  'block w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-brand [&::-webkit-progress-value]:transition-[width] [&::-webkit-progress-value]:duration-180'

export function Progress({ label, fraction, className }: ProgressProps) {
  const unknown = fraction === null
  return (
    <progress
      aria-label={label}
      max={1}
      {...(unknown ? {} : { value: fraction })}
      className={clsx(bar, unknown && 'animate-pulse bg-brand [&::-webkit-progress-bar]:bg-brand', className)}
    />
  )
}
