import { Combobox as BaseCombobox } from '@base-ui/react/combobox'
import { Check, ChevronDown } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { Input } from './Input.tsx'

type Choice = { value: string; label: string }
type ComboboxProps = {
  label: string
  hint?: ReactNode
  error?: string | undefined
  value: string
  /** The same list at each drawing, or the whole of it is looked through again. */
  choices: readonly Choice[]
  /** When nothing has what was typed. */
  empty: string
  onChange: (value: string) => void
}

/** A choice out of more than anyone wants to scroll through: typing narrows it down. */
export function Combobox({ label, hint, error, value, choices, empty, onChange }: ComboboxProps) {
  const id = useId()
  // The list opens inside, so that it stays within the page's landmark.
  const [container, setContainer] = useState<HTMLDivElement | null>(null)
  const chosen = choices.find((choice) => choice.value === value) ?? null
  const hintId = `${id}-hint`
  return (
    <div ref={setContainer} className="flex flex-col gap-1.5">
      <BaseCombobox.Root
        items={choices}
        value={chosen}
        autoHighlight
        onValueChange={(next) => {
          // Emptied while looking for another one: the choice stays.
          if (next !== null) onChange(next.value)
        }}
      >
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <BaseCombobox.InputGroup className="relative">
          <BaseCombobox.Input
            id={id}
            aria-describedby={hintId}
            aria-invalid={error !== undefined}
            render={<Input className="pr-11" autoComplete="off" spellCheck={false} />}
          />
          <BaseCombobox.Trigger
            aria-label={`Show all: ${label}`}
            className="absolute inset-y-0 right-0 grid w-10 place-items-center text-muted"
          >
            <ChevronDown aria-hidden className="size-4" />
          </BaseCombobox.Trigger>
        </BaseCombobox.InputGroup>
        <div id={hintId} className="text-sm">
          {hint && <p className="text-muted">{hint}</p>}
          {error !== undefined && (
            <p role="alert" className="text-critical">
              {error}
            </p>
          )}
        </div>
        <BaseCombobox.Portal container={container}>
          <BaseCombobox.Positioner sideOffset={6} collisionPadding={8} className="z-20">
            <BaseCombobox.Popup className="w-(--anchor-width) rounded-card border border-line bg-surface shadow-float outline-none">
              <BaseCombobox.Empty className="text-muted">
                <span className="block px-4 py-3">{empty}</span>
              </BaseCombobox.Empty>
              <BaseCombobox.List className="max-h-[min(20rem,var(--available-height))] scroll-py-1.5 overflow-y-auto overscroll-contain p-1.5 outline-none data-empty:p-0">
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
