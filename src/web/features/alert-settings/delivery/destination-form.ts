import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import type { DeliveryChannels } from '../../../../contract/delivery/channels.ts'

/** What can be typed about where messages go, named as the server names it. */
export type Typed = { address: string; webhookUrl: string; channel: string; number: string; code: string; url: string }
export type DestinationForm = UseFormReturn<Typed>

export const nothingTyped: Typed = { address: '', webhookUrl: '', channel: '', number: '', code: '', url: '' }

/** What the fields show before anything is typed. Addresses that are secrets never come back, so theirs are empty. */
export const typedOf = ({ email, slack }: DeliveryChannels, accountAddress: string): Typed => ({
  ...nothingTyped,
  address: email.waitingFor ?? (email.to === accountAddress ? '' : (email.to ?? '')),
  channel: slack.channel ?? '',
})

/** The values as the server takes them; null when they will not do, which is then said at the field. */
export function checked<T extends z.ZodType>(form: DestinationForm, schema: T, values: z.input<T>): z.output<T> | null {
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues.toReversed()) tellAt(form, String(path[0]), message)
  return null
}

/** Says at a field what is wrong with it, and puts the focus there. */
export function tellAt(form: DestinationForm, name: string, message: string): void {
  const field = fieldNames.find((known) => known === name)
  if (field) form.setError(field, { message }, { shouldFocus: true })
}

const fieldNames = ['address', 'webhookUrl', 'channel', 'number', 'code', 'url'] as const satisfies (keyof Typed)[]

/** A field that is no longer wrong once something else is typed. */
export const field = (form: DestinationForm, name: keyof Typed) => ({
  ...form.register(name, { onChange: () => form.clearErrors(name) }),
  error: form.formState.errors[name]?.message,
})
