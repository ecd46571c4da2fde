import { clsx } from 'clsx'

/** A placeholder for content that is loading; give it the content's size. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={clsx('animate-pulse rounded-md bg-line', className)} />
}
