import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

type Tab = { value: string; label: string; content: ReactNode }

export function Tabs({ label, tabs, initial }: { label: string; tabs: readonly Tab[]; initial: string }) {
  return (
    <BaseTabs.Root defaultValue={initial}>
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
