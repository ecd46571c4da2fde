import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { twoFactorCode, type TwoFactorCode } from '../../../contract/account.ts'
import { ApiFailure, refusalText } from '../../api/client.ts'
import { confirmLogin, showUser } from '../../api/session.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/form/Checkbox.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { StepHeading } from '../../ui/StepHeading.tsx'

/** The second step of a login. Once somebody is logged in, the page around this form sends them on. */
export function TwoFactorForm({ onBack }: { onBack: () => void }) {
  const client = useQueryClient()
  const form = useForm<z.input<typeof twoFactorCode>, unknown, TwoFactorCode>({
    resolver: zodResolver(twoFactorCode),
    defaultValues: { code: '', trustDevice: false },
  })
  const { setFocus } = form
  useEffect(() => setFocus('code'), [setFocus])
  const submit = useMutation({
    mutationFn: confirmLogin,
    onSuccess: (user) => showUser(client, user),
    onError: (error) => {
      toast.error('Login Failed', refusalText(error, 'Wrong code. Enter the one your app shows now.'))
      if (showAtField(form, error)) return
      // The login itself has expired, or was tried too often: it begins anew.
      if (error instanceof ApiFailure && error.problem?.field === 'login') onBack()
    },
  })

  return (
    <>
      <StepHeading level={2} title="Two-factor authentication">
        Enter the 6-digit code from your authenticator app, or a recovery code.
      </StepHeading>
      <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit((values) => submit.mutate(values))}>
        <Field
          label="Code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          error={form.formState.errors.code?.message}
          {...form.register('code')}
        />
        <Checkbox label="Trust this browser for 30 days" {...form.register('trustDevice')} />
        <Button type="submit" variant="primary" className="w-full" disabled={submit.isPending}>
          {submit.isPending ? 'Logging in...' : 'Log in'}
        </Button>
        <Button variant="quiet" className="self-center" onClick={onBack}>
          Back
        </Button>
      </form>
    </>
  )
}
