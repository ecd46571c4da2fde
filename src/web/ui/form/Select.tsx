import { Select as BaseSelect } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { positionMethodIn } from './position-method.ts'

type Choice = { value: string; label: ReactNode; disabled?: boolean }
type SelectProps = {
  label: string
  /** For screen readers only: its position makes it obvious. */
  hideLabel?: boolean
  value: string | null
  choices: readonly Choice[]
  placeholder: string
  disabled?: boolean
  onChange: (value: string) => void
}

export function Select({ label, value, choices, placeholder, disabled = false, hideLabel = false, onChange }: SelectProps) {
  // The list opens inside it to stay within the page's landmark.
  const [container, setContainer] = useState<HTMLDivElement | null>(null)
  return (
    <div ref={setContainer}>
      <BaseSelect.Root
        items={choices}
        value={value}
        disabled={disabled}
        onValueChange={(next) => {
          if (next !== null) onChange(next)
        }}
      >
        <BaseSelect.Label className={hideLabel ? 'sr-only' : 'mb-1.5 block font-medium'}>{label}</BaseSelect.Label>
        <BaseSelect.Trigger className="control flex w-full items-center justify-between gap-2 rounded-control border border-line-control bg-surface px-3 text-left hover:bg-sunken data-disabled:opacity-60">
          <BaseSelect.Value placeholder={placeholder} className="min-w-0 truncate data-placeholder:text-muted" />
          <BaseSelect.Icon>
            <ChevronDown aria-hidden className="size-4 text-muted" />
          </BaseSelect.Icon>
        </BaseSelect.Trigger>
        <BaseSelect.Portal container={container}>
          <BaseSelect.Positioner
            alignItemWithTrigger={false}
            positionMethod={positionMethodIn(container)}
            sideOffset={6}
            collisionPadding={8}
            className="z-20"
          >
            <BaseSelect.Popup className="max-h-(--available-height) w-(--anchor-width) overflow-y-auto rounded-card border border-line bg-surface p-1.5 shadow-float outline-none">
              <BaseSelect.List>
                {choices.map((choice) => (
                  <BaseSelect.Item
                    key={choice.value}
                    value={choice.value}
                    disabled={choice.disabled ?? false}
                    className="flex min-h-10 items-center gap-2 rounded-md px-2.5 py-1.5 outline-none select-none data-disabled:text-muted data-highlighted:bg-sunken lg:min-h-9"
                  >
                    <BaseSelect.ItemText className="min-w-0 flex-1 break-words">{choice.label}</BaseSelect.ItemText>
                    <BaseSelect.ItemIndicator>
                      <Check aria-hidden className="size-4 text-brand" />
                    </BaseSelect.ItemIndicator>
                  </BaseSelect.Item>
                ))}
              </BaseSelect.List>
            </BaseSelect.Popup>
          </BaseSelect.Positioner>
        </BaseSelect.Portal>
      </BaseSelect.Root>
    </div>
  )
}
