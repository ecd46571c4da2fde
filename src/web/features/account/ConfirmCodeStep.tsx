import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { encode } from 'uqr'
import type { z } from 'zod'
import { twoFactorConfirm, type TwoFactorSetup } from '../../../contract/account.ts'
import type { User } from '../../../contract/user.ts'
import { confirmTwoFactor } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { matrixPath } from './matrix-path.ts'

type ConfirmCodeStepProps = { setup: TwoFactorSetup; onConfirmed: (user: User | null) => Promise<void> }

/** The secret, for the app's camera or typing, and the field for the code that proves the app has it. */
export function ConfirmCodeStep({ setup, onConfirmed }: ConfirmCodeStepProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm<z.infer<typeof twoFactorConfirm>>({ resolver: zodResolver(twoFactorConfirm), defaultValues: { code: '' } })
  const field = form.register('code')
  const input = useRef<HTMLInputElement>(null)
  // Before the dialog notices that the focus left with the previous step.
  useLayoutEffect(() => input.current?.focus(), [])
  const submit = useMutation({
    mutationFn: ({ code }: { code: string }) => confirmTwoFactor(code),
    onMutate: () => setProblem(null),
    onSuccess: onConfirmed,
    onError: (error) => {
      if (!showAtField(form, error)) setProblem(failureText(error, "Couldn't check the code. Please try again."))
    },
  })
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={form.handleSubmit((values) => submit.mutate(values))}>
      <div className="flex flex-col items-center gap-4 sm:flex-row sm:items-start">
        <QrCode text={setup.uri} label="QR code for your authenticator app" />
        <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
          <p>Scan the code with your authenticator app. Can't scan it? Enter this key:</p>
          <code className="text-sm break-words">{inGroups(setup.secret)}</code>
          <CopyButton text={setup.secret} label="Copy key" />
        </div>
      </div>
      <Field
        label="Code"
        hint={!form.formState.errors.code && 'The current 6-digit code from your app'}
        inputMode="numeric"
        autoComplete="one-time-code"
        error={form.formState.errors.code?.message}
        {...field}
        ref={(element) => {
          field.ref(element)
          input.current = element
        }}
      />
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      <Button type="submit" variant="primary" className="self-end" disabled={submit.isPending}>
        {submit.isPending ? 'Turning on...' : 'Turn on'}
      </Button>
    </form>
  )
}

/** In groups of four characters, which are easiest to type. */
const inGroups = (secret: string): string => (secret.match(/.{1,4}/g) ?? []).join(' ')

/** Drawn as elements, since the content security policy forbids generated images. Always dark on light, or cameras fail. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 3 })
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 rounded-control"
    >
      <rect width={size} height={size} className="fill-on-ink" />
      <path d={matrixPath(data)} className="fill-ink" />
    </svg>
  )
}
