import type { ReactNode } from 'react'

type MenuChoice = { value: string; label: string; icon?: ReactNode }
export type MenuEntry =
  /** `apart`: with a line above it. */
  | { kind: 'action'; label: string; icon: ReactNode; apart?: boolean; onSelect: () => void }
  /** One of several; the chosen one is ticked. */
  | { kind: 'choices'; label: string; value: string; choices: readonly MenuChoice[]; onChange: (value: string) => void }
