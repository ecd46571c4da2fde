import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import type { DeliveryChannels } from '../../../../contract/delivery/channels.ts'
import { fieldOf } from '../../../ui/form/field-of.ts'

/** The input fields for destinations, with the server's names. */
export type Typed = { address: string; webhookUrl: string; channel: string; number: string; code: string; url: string }
export type DestinationForm = UseFormReturn<Typed>

export const nothingTyped: Typed = { address: '', webhookUrl: '', channel: '', number: '', code: '', url: '' }

/** The fields' initial values. Secret URLs never return, so their fields are empty. */
export const typedOf = ({ email, slack }: DeliveryChannels, accountAddress: string): Typed => ({
  ...nothingTyped,
  address: email.waitingFor ?? (email.to === accountAddress ? '' : (email.to ?? '')),
  channel: slack.channel ?? '',
})

/** The values in the server's format; null if invalid, which is then shown at the field. */
export function checked<T extends z.ZodType>(form: DestinationForm, schema: T, values: z.input<T>): z.output<T> | null {
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues.toReversed()) showErrorAt(form, String(path[0]), message)
  return null
}

/** Shows an error at a field, and focuses it. */
export function showErrorAt(form: DestinationForm, name: string, message: string): void {
  const field = fieldNames.find((known) => known === name)
  if (field) form.setError(field, { message }, { shouldFocus: true })
}

const fieldNames = ['address', 'webhookUrl', 'channel', 'number', 'code', 'url'] as const satisfies (keyof Typed)[]

/** A field whose error clears on the next input. */
export const field = (form: DestinationForm, name: keyof Typed) => fieldOf(form, name, { onChange: () => form.clearErrors(name) })
