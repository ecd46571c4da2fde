import { clsx } from 'clsx'

/** Holds the place of something that is being fetched; give it that thing's size. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={clsx('animate-pulse rounded-md bg-line', className)} />
}
