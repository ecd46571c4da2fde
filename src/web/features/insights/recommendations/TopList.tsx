import type { ReactNode } from 'react'

/** What the two lists of five have in common. */
export const listed = {
  most: 5,
  list: '-my-2 divide-y divide-line',
  row: 'flex items-center gap-3 py-2',
  figures: 'flex flex-wrap gap-x-4 text-sm whitespace-nowrap text-muted tabular-nums',
} as const

export function NothingListed({ children }: { children: ReactNode }) {
  return <p className="grid min-h-40 place-items-center text-center text-muted">{children}</p>
}
