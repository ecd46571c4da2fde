import type { ReactNode } from 'react'

type MenuChoice = { value: string; label: ReactNode; icon?: ReactNode }
export type MenuEntry =
  /** `apart`: with a line above it. */
  | { kind: 'action'; label: string; icon: ReactNode; apart?: boolean; onSelect: () => void }
  /** Leads to a page that is none of the app's screens. */
  | { kind: 'link'; label: string; icon: ReactNode; href: string }
  /** Something to read below the rest. */
  | { kind: 'note'; label: string }
  /** One of several; the chosen one is ticked. */
  | { kind: 'choices'; label: string; value: string; choices: readonly MenuChoice[]; onChange: (value: string) => void }
