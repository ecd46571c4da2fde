import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

type Tab = { value: string; label: string; content: ReactNode }

type TabsProps = { label: string; tabs: readonly Tab[] } & (
  | { initial: string }
  /** Where the open tab is known elsewhere, as in the address. */
  | { value: string; onChange: (value: string) => void }
)

export function Tabs({ label, tabs, ...open }: TabsProps) {
  const state =
    'initial' in open ? { defaultValue: open.initial } : { value: open.value, onValueChange: (value: string) => open.onChange(value) }
  return (
    <BaseTabs.Root {...state}>
      <BaseTabs.List aria-label={label} className="flex gap-5 border-b border-line">
        {tabs.map((tab) => (
          <BaseTabs.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px h-10 border-b-2 border-transparent px-0.5 font-medium text-muted transition-colors duration-150 hover:text-text data-active:border-brand data-active:text-text"
          >
            {tab.label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {tabs.map((tab) => (
        <BaseTabs.Panel key={tab.value} value={tab.value} className="pt-5 outline-offset-4">
          {tab.content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  )
}
