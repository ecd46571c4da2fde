import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import type { Proof } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { HiddenUsername } from './SecurityPart.tsx'

const withPassword = z.object({ password: z.string().min(1, 'Enter your password').max(256, 'Incorrect password.') })
const withoutPassword = z.object({ password: z.string() })

type ProofFormProps = {
  action: string
  pending: string
  danger?: boolean
  /** What the password opens the way to. */
  prove: (proof: Proof) => Promise<void>
}

/** Asks for the password again before something that matters; an account without one has only the button. */
export function ProofForm({ action, pending, danger = false, prove }: ProofFormProps) {
  const { hasPassword } = useCurrentUser()
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm({ resolver: zodResolver(hasPassword ? withPassword : withoutPassword), defaultValues: { password: '' } })
  const submit = useMutation({
    mutationFn: ({ password }: { password: string }) => prove(hasPassword ? { password } : {}),
    onMutate: () => setProblem(null),
    onError: (error) => {
      if (!showAtField(form, error)) setProblem(failureText(error, 'Something went wrong. Please try again.'))
    },
  })
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit((values) => submit.mutate(values))}>
      {hasPassword && (
        <>
          <HiddenUsername />
          <Field
            label="Your password"
            type="password"
            autoComplete="current-password"
            error={form.formState.errors.password?.message}
            {...form.register('password')}
          />
        </>
      )}
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      <Button type="submit" variant={danger ? 'danger' : 'primary'} className="self-end" disabled={submit.isPending}>
        {submit.isPending ? pending : action}
      </Button>
    </form>
  )
}
