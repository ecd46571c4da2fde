import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useRef } from 'react'
import { mostRecipients } from '../../../../contract/reports/limits.ts'
import { Button, iconButtonClass } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/form/Field.tsx'

type RecipientsFieldProps = {
  recipients: readonly string[]
  limit: number
  typed: string
  problem: string | undefined
  onType: (typed: string) => void
  onAdd: () => void
  onRemove: (recipient: string) => void
}

/** A report's recipients: an address is typed, or several pasted, and becomes a chip. */
export function RecipientsField({ recipients, limit, typed, problem, onType, onAdd, onRemove }: RecipientsFieldProps) {
  const input = useRef<HTMLInputElement>(null)

  function onKeyDown(event: KeyboardEvent) {
    const ends = event.key === 'Enter' || event.key === ',' || event.key === ';'
    if (!ends || (event.key === 'Enter' && typed.trim() === '')) return
    // Enter would submit the whole form.
    event.preventDefault()
    onAdd()
  }

  return (
    <div>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <Field
            ref={input}
            label="Recipients"
            type="text"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="name@example.com"
            hint={countOf(recipients.length, limit)}
            value={typed}
            error={problem}
            onChange={(event) => onType(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </div>
        {/* Next to the field, below its label. */}
        <Button
          aria-label="Add recipient"
          className="mt-6.5"
          onClick={() => {
            input.current?.focus()
            onAdd()
          }}
        >
          <Plus aria-hidden />
          Add
        </Button>
      </div>
      {recipients.length > 0 && (
        <ul aria-label="Recipients" className="mt-3 flex flex-wrap gap-2">
          {recipients.map((recipient) => (
            <Chip key={recipient} recipient={recipient} input={input} onRemove={() => onRemove(recipient)} />
          ))}
        </ul>
      )}
    </div>
  )
}

/** The plan's limit, if it is lower than a report's general one. */
const countOf = (count: number, limit: number): string =>
  `${limit < mostRecipients ? `${count} of up to ${limit} recipients.` : 'Add one address, or several at once.'} Everyone but you has to confirm once by email.`

type ChipProps = { recipient: string; input: RefObject<HTMLInputElement | null>; onRemove: () => void }

function Chip({ recipient, input, onRemove }: ChipProps) {
  const chip = useRef<HTMLLIElement>(null)
  return (
    <li ref={chip} className="inline-flex max-w-full items-center rounded-full border border-line bg-sunken pl-3.5">
      <span className="min-w-0 wrap-anywhere">{recipient}</span>
      <button
        type="button"
        aria-label={`Remove ${recipient}`}
        title={`Remove ${recipient}`}
        className={iconButtonClass('rounded-full! text-muted!')}
        onClick={() => {
          // The focus must not disappear with the removed chip.
          const beside = chip.current?.nextElementSibling ?? chip.current?.previousElementSibling
          ;(beside?.querySelector('button') ?? input.current)?.focus()
          onRemove()
        }}
      >
        <X aria-hidden />
      </button>
    </li>
  )
}
