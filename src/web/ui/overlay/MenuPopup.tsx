import { Menu as BaseMenu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { MenuEntry } from './menu-entry.ts'

type MenuPopupProps = {
  anchor: HTMLButtonElement
  label: string
  open: boolean
  onOpenChange: (open: boolean) => void
  align: 'start' | 'end'
  entries: readonly MenuEntry[]
}

const itemClass =
  'flex min-h-10 w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left outline-none select-none data-disabled:text-muted data-highlighted:bg-sunken lg:min-h-9 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted'

export function MenuPopup({ anchor, label, open, onOpenChange, align, entries }: MenuPopupProps) {
  return (
    <BaseMenu.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <BaseMenu.Portal container={landmarkOf(anchor)}>
        <BaseMenu.Positioner anchor={anchor} align={align} sideOffset={6} collisionPadding={8} className="z-20">
          <BaseMenu.Popup
            aria-label={label}
            finalFocus={() => anchor}
            className="max-h-(--available-height) max-w-[min(24rem,calc(100vw-1rem))] min-w-52 overflow-y-auto rounded-card border border-line bg-surface p-1.5 shadow-float outline-none transition-opacity duration-120 data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {entries.map((entry) => (
              <Entry key={entry.label} entry={entry} />
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  switch (entry.kind) {
    case 'action':
      return (
        <>
          {entry.separated && <BaseMenu.Separator className="-mx-1.5 my-1.5 h-px bg-line" />}
          <BaseMenu.Item className={itemClass} disabled={entry.disabled ?? false} onClick={entry.onSelect}>
            {entry.icon}
            {entry.label}
          </BaseMenu.Item>
        </>
      )
    case 'link':
      return (
        <BaseMenu.LinkItem className={itemClass} href={entry.href} closeOnClick>
          {entry.icon}
          {entry.label}
        </BaseMenu.LinkItem>
      )
    case 'note':
      return (
        <p className="-mx-1.5 mt-1.5 border-t border-line px-4 pt-2 pb-1 text-xs text-muted first:mt-0 first:border-0">{entry.label}</p>
      )
    case 'choices':
      return <Choices {...entry} />
  }
}

function Choices({ label, value, choices, onChange }: Extract<MenuEntry, { kind: 'choices' }>) {
  return (
    <BaseMenu.RadioGroup value={value} onValueChange={(next: unknown) => onChange(String(next))}>
      <BaseMenu.GroupLabel className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{label}</BaseMenu.GroupLabel>
      {choices.map((choice) => (
        <BaseMenu.RadioItem key={choice.value} value={choice.value} closeOnClick className={itemClass}>
          {choice.icon}
          <span className="min-w-0 flex-1 break-words">{choice.label}</span>
          <BaseMenu.RadioItemIndicator>
            <Check aria-hidden className="text-brand!" />
          </BaseMenu.RadioItemIndicator>
        </BaseMenu.RadioItem>
      ))}
    </BaseMenu.RadioGroup>
  )
}

/** The landmark around an element: anything floating next to the element belongs there, not at the end of the page. */
function landmarkOf(element: Element): HTMLElement {
  return element.closest<HTMLElement>('header, main') ?? document.body
}
