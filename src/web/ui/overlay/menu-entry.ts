import type { ReactNode } from 'react'

type MenuChoice = { value: string; label: ReactNode; icon?: ReactNode }
export type MenuEntry =
  /** `separated`: with a line above it. */
  | { kind: 'action'; label: string; icon: ReactNode; separated?: boolean; disabled?: boolean; onSelect: () => void }
  /** Leads to a page that isn't one of the app's screens. */
  | { kind: 'link'; label: string; icon: ReactNode; href: string }
  /** Text below the rest. */
  | { kind: 'note'; label: string }
  /** A choice; the current one is ticked. */
  | { kind: 'choices'; label: string; value: string; choices: readonly MenuChoice[]; onChange: (value: string) => void }
