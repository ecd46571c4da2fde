import { Combobox as BaseCombobox } from '@base-ui/react/combobox'
import { Check, ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Input } from './Input.tsx'
import { positionMethodIn } from './position-method.ts'

type Choice = { value: string; label: string }
type ComboboxProps = {
  label: string
  hint?: ReactNode
  error?: string | undefined
  value: string
  /** Keep the array's identity between renders, or all of it is searched again. */
  choices: readonly Choice[]
  /** The search field's hint. */
  search: string
  /** Shown if nothing matches. */
  empty: string
  onChange: (value: string) => void
}

/** A select for long lists: typing filters it. */
export function Combobox({ label, hint, error, value, choices, search, empty, onChange }: ComboboxProps) {
  // The list opens inside it to stay within the page's landmark.
  const [container, setContainer] = useState<HTMLDivElement | null>(null)
  const chosen = choices.find((choice) => choice.value === value) ?? null
  return (
    <div ref={setContainer}>
      <BaseCombobox.Root
        items={choices}
        value={chosen}
        autoHighlight
        onValueChange={(next) => {
          if (next !== null) onChange(next.value)
        }}
      >
        <BaseCombobox.Label className="mb-1.5 block font-medium">{label}</BaseCombobox.Label>
        <BaseCombobox.Trigger className="control flex w-full items-center justify-between gap-2 rounded-control border border-line-control bg-surface px-3 text-left hover:bg-sunken">
          <span className="min-w-0 truncate">{chosen?.label ?? value}</span>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />
        </BaseCombobox.Trigger>
        {hint && <p className="mt-1.5 text-sm text-muted">{hint}</p>}
        {error !== undefined && (
          <p role="alert" className="mt-1.5 text-sm text-critical">
            {error}
          </p>
        )}
        <BaseCombobox.Portal container={container}>
          <BaseCombobox.Positioner positionMethod={positionMethodIn(container)} sideOffset={6} collisionPadding={8} className="z-20">
            <BaseCombobox.Popup
              aria-label={label}
              className="w-(--anchor-width) rounded-card border border-line bg-surface p-1.5 shadow-float outline-none"
            >
              <BaseCombobox.Input aria-label={search} placeholder={search} render={<Input autoComplete="off" spellCheck={false} />} />
              <BaseCombobox.Empty className="text-muted">
                <span className="block px-2.5 py-3">{empty}</span>
              </BaseCombobox.Empty>
              <BaseCombobox.List className="mt-1.5 max-h-[min(18rem,calc(var(--available-height)-4rem))] overflow-y-auto overscroll-contain outline-none">
                {(choice: Choice) => (
                  <BaseCombobox.Item
                    key={choice.value}
                    value={choice}
                    className="flex min-h-10 items-center gap-2 rounded-md px-2.5 py-1.5 outline-none select-none data-highlighted:bg-sunken lg:min-h-9"
                  >
                    <span className="min-w-0 flex-1 break-words">{choice.label}</span>
                    <BaseCombobox.ItemIndicator>
                      <Check aria-hidden className="size-4 text-brand" />
                    </BaseCombobox.ItemIndicator>
                  </BaseCombobox.Item>
                )}
              </BaseCombobox.List>
            </BaseCombobox.Popup>
          </BaseCombobox.Positioner>
        </BaseCombobox.Portal>
      </BaseCombobox.Root>
    </div>
  )
}
