import { Button } from '../../../../ui/Button.tsx'
import { Field } from '../../../../ui/form/Field.tsx'
import { onEnter } from '../card-props.ts'
import { type DestinationForm, field } from '../destination-form.ts'

type WebhookAddressProps = {
  form: DestinationForm
  name: 'webhookUrl' | 'url'
  label: string
  placeholder: string
  hint: string
  /** A URL that works in this demo. */
  example: string | null
  onConnect: () => Promise<void>
}

/** The URL that messages are posted to. */
export function WebhookAddress({ form, name, label, placeholder, hint, example, onConnect }: WebhookAddressProps) {
  return (
    <div {...onEnter(onConnect)}>
      <Field
        label={label}
        type="url"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={placeholder}
        hint={hint}
        {...field(form, name)}
      />
      {example !== null && (
        <Button variant="quiet" className="mt-1 -ml-3.5 text-brand!" onClick={() => form.setValue(name, example, { shouldDirty: true })}>
          Use the demo URL
        </Button>
      )}
    </div>
  )
}

type ConnectButtonsProps = {
  disabled: boolean
  isBusy: boolean
  onConnect: () => Promise<void>
  /** Set while another one is connected. */ onKeep: (() => void) | null
}

export function ConnectButtons({ disabled, isBusy, onConnect, onKeep }: ConnectButtonsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="primary" disabled={disabled || isBusy} onClick={() => void onConnect()}>
        {isBusy ? 'Connecting...' : 'Connect'}
      </Button>
      {onKeep !== null && <Button onClick={onKeep}>Keep the current one</Button>}
    </div>
  )
}
