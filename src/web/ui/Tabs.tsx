import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import { clsx } from 'clsx'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

type Tab = { value: string; label: string; content: ReactNode }

type TabsProps = { label: string; tabs: readonly Tab[] } & (
  | { initial: string }
  /** If the open tab is controlled, as by the URL. */
  | { value: string; onChange: (value: string) => void }
)

/** Pixels at either end over which the list fades out; the same as in its classes. */
const fading = 40

/** Tabs that scroll if they don't fit; the open one is always visible. */
export function Tabs({ label, tabs, ...open }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const value = 'initial' in open ? open.initial : open.value
  const index = tabs.findIndex((tab) => tab.value === value)
  useLayoutEffect(() => {
    const tab = list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]
    if (list.current && tab) scrollTo(list.current, tab)
  }, [index])
  const more = useScrollEdges(list)
  const state =
    'initial' in open ? { defaultValue: open.initial } : { value: open.value, onValueChange: (chosen: string) => open.onChange(chosen) }
  return (
    <BaseTabs.Root {...state}>
      <BaseTabs.List
        ref={list}
        aria-label={label}
        className={clsx(
          'relative flex gap-5 overflow-x-auto overscroll-x-contain shadow-[inset_0_-1px_var(--line)] [scrollbar-width:none]',
          // Fades out where it continues.
          more.start && more.end && 'mask-x-from-[calc(100%-2.5rem)]',
          more.start && !more.end && 'mask-l-from-[calc(100%-2.5rem)]',
          !more.start && more.end && 'mask-r-from-[calc(100%-2.5rem)]',
        )}
      >
        {tabs.map((tab) => (
          <BaseTabs.Tab
            key={tab.value}
            value={tab.value}
            className="h-10 shrink-0 border-b-2 border-transparent px-0.5 font-medium whitespace-nowrap text-muted transition-colors duration-150 hover:text-text focus-visible:-outline-offset-2 data-active:border-brand data-active:text-text"
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

/** Like `scrollIntoView`, but never scrolls the page itself. */
function scrollTo(list: HTMLElement, { offsetLeft: start, offsetWidth: width }: HTMLElement): void {
  const { scrollLeft, clientWidth } = list
  const isClear = start >= scrollLeft + fading && start + width <= scrollLeft + clientWidth - fading
  if (!isClear) list.scrollLeft = start - (clientWidth - width) / 2
}

type Edges = { start: boolean; end: boolean }

/** Whether there is more to scroll to on either side. */
function useScrollEdges(ref: RefObject<HTMLElement | null>): Edges {
  const [edges, setEdges] = useState<Edges>({ start: false, end: false })
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const look = (): void => {
      const { scrollLeft, clientWidth, scrollWidth } = element
      const start = scrollLeft > 1
      const end = scrollLeft + clientWidth < scrollWidth - 1
      setEdges((before) => (before.start === start && before.end === end ? before : { start, end }))
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [ref])
  return edges
}
