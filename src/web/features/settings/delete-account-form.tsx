import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { deleteAccount } from '../../api/account-data.ts'
import { failureText } from '../../api/client.ts'
import { forgetUser } from '../../api/session.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { toast } from '../../ui/overlay/toast.ts'

const formOf = (username: string, hasPassword: boolean) =>
  z.object({
    username: z
      .string()
      .trim()
      .refine((typed) => typed === username, 'Type your username to confirm.'),
    password: hasPassword ? z.string().min(1, 'Enter your password.').max(256, 'Incorrect password.') : z.string(),
  })
type Values = z.infer<ReturnType<typeof formOf>>

export function DeleteAccountForm({ username, hasPassword }: { username: string; hasPassword: boolean }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm<Values>({ resolver: zodResolver(formOf(username, hasPassword)), defaultValues: { username: '', password: '' } })
  const { errors } = form.formState
  const remove = useMutation({
    mutationFn: (values: Values) => deleteAccount({ username: values.username, ...(hasPassword && { password: values.password }) }),
    onMutate: () => setProblem(null),
    onSuccess: async () => {
      // Away from here first: the guard would take this screen for one to come back to.
      await navigate(paths.login)
      forgetUser(client)
      toast.success('Account deleted', `The account ${username} and all its data have been deleted.`)
    },
    onError: (error) => {
      if (!showAtField(form, error)) setProblem(failureText(error, "Couldn't delete your account. Please try again."))
    },
  })
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit((values) => remove.mutate(values))}>
      <Field
        label="Your username"
        hint={
          <>
            Type <span className="break-all text-text">{username}</span> to confirm.
          </>
        }
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username?.message}
        {...form.register('username')}
      />
      {hasPassword && (
        <Field
          label="Your password"
          type="password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...form.register('password')}
        />
      )}
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      <Button type="submit" variant="danger" className="self-end" disabled={remove.isPending}>
        {remove.isPending ? 'Deleting...' : 'Delete my account'}
      </Button>
    </form>
  )
}
