import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { deleteAccount } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { forgetUser } from '../../api/session.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { planNames } from '../../shell/plans.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { fieldOf } from '../../ui/form/field-of.ts'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'

export function DeleteAccount() {
  const [asking, setAsking] = useState(false)
  return (
    <section aria-labelledby="delete-account">
      <h3 id="delete-account" className="font-semibold">
        Delete account
      </h3>
      <p className="mt-1 max-w-[70ch] text-muted">Permanently deletes your account and all its data.</p>
      <Button className="mt-4" onClick={() => setAsking(true)}>
        Delete account
      </Button>
      {asking && <DeleteAccountDialog onClose={() => setAsking(false)} />}
    </section>
  )
}

/** Lists everything that will be deleted, and asks for the username: this can't be undone. */
function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const user = useCurrentUser()
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title="Delete your account?"
      description={
        <>
          This can't be undone. Deleting the account <strong className="font-medium break-all text-text">{user.username}</strong> removes:
        </>
      }
    >
      <ul className="mb-5 flex list-disc flex-col gap-1 pl-5">
        <li>your profile, your settings and all your sessions</li>
        <li>{properties(user.gscProperties?.length ?? 0)} and all stored data, including days Google no longer has</li>
        {user.plan !== null && user.plan !== 'free' && <li>your {planNames[user.plan]} plan (you won't be charged again)</li>}
        {user.accessToken !== null && <li>Ranklark's access to your Google account</li>}
      </ul>
      <DeleteAccountForm username={user.username} hasPassword={user.hasPassword} />
    </Dialog>
  )
}

const properties = (count: number): string => (count === 0 ? 'your properties' : count === 1 ? 'your property' : `your ${count} properties`)

const formOf = (username: string, hasPassword: boolean) =>
  z.object({
    username: z
      .string()
      .trim()
      .refine((typed) => typed === username, 'Type your username to confirm.'),
    password: hasPassword ? z.string().min(1, 'Enter your password.').max(256, 'Incorrect password.') : z.string(),
  })
type Values = z.infer<ReturnType<typeof formOf>>

function DeleteAccountForm({ username, hasPassword }: { username: string; hasPassword: boolean }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm<Values>({ resolver: zodResolver(formOf(username, hasPassword)), defaultValues: { username: '', password: '' } })
  const remove = useMutation({
    mutationFn: (values: Values) => deleteAccount({ username: values.username, ...(hasPassword && { password: values.password }) }),
    onMutate: () => setProblem(null),
    onSuccess: async () => {
      // Navigate first: the guard would remember this screen as the one to return to.
      await navigate(paths.login)
      forgetUser(client)
      toast.success('Account Deleted', `The account ${username} and all its data have been deleted.`)
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
        {...fieldOf(form, 'username')}
      />
      {hasPassword && <Field label="Your password" type="password" autoComplete="current-password" {...fieldOf(form, 'password')} />}
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      <Button type="submit" variant="danger" className="self-end" disabled={remove.isPending}>
        {remove.isPending ? 'Deleting...' : 'Delete my account'}
      </Button>
    </form>
  )
}
