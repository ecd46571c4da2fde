import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { proof } from '../../contract/account/profile.ts'
import { addressOf } from '../../contract/endpoint.ts'
import { googleEndpoints } from '../../contract/sites.ts'
import type { User } from '../../contract/user.ts'
import { prove } from '../api/account.ts'
import { failureText } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { showAtField } from '../api/show-at-field.ts'
import { proofChannel, proofStore } from '../lib/proof.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { fieldOf } from '../ui/form/field-of.ts'
import { FormProblem } from '../ui/form/FormProblem.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'

const why =
  'This change affects who can access your account, data, alerts or payments, or what others see in your reports, including scheduled ones that are turned off.'

/** Asks the logged-in person to prove their identity wherever the server requires it; then the request is retried. */
export function ProofDialog() {
  const { data: session } = useQuery(sessionQuery)
  if (!session?.user) return null
  const { user } = session
  return (
    <Dialog
      open
      asksForProof
      onOpenChange={(open) => {
        if (!open) proofStore.settle(false)
      }}
      title="Confirm it's you"
      description={
        user.hasPassword
          ? `${why} Enter your password to continue; you won't be asked again for 10 minutes.`
          : `${why} Log in with Google again to continue; you won't be asked again for 10 minutes.`
      }
    >
      {user.hasPassword ? <ByPassword user={user} /> : <ByGoogle user={user} />}
    </Dialog>
  )
}

function ByPassword({ user }: { user: User }) {
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm({ resolver: zodResolver(proof), defaultValues: { password: '' } })
  const submit = useMutation({
    mutationFn: prove,
    onMutate: () => setProblem(null),
    onSuccess: () => proofStore.settle(true),
    onError: (error) => {
      if (!showAtField(form, error)) setProblem(failureText(error, "Couldn't check your password. Please try again."))
    },
  })
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        // React passes it on to the form behind this dialog, if any.
        event.stopPropagation()
        void form.handleSubmit((values) => submit.mutate(values))(event)
      }}
    >
      <input hidden readOnly type="text" name="username" autoComplete="username" value={user.username} />
      <Field label="Your password" type="password" autoComplete="current-password" {...fieldOf(form, 'password')} />
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      <Actions>
        <Button type="submit" variant="primary" disabled={submit.isPending}>
          {submit.isPending ? 'Confirming...' : 'Confirm'}
        </Button>
      </Actions>
    </form>
  )
}

/** In its own window, so that nothing entered here is lost. */
function ByGoogle({ user: { googleSignIns, email } }: { user: User }) {
  const [problem, setProblem] = useState<string | null>(null)
  const account = googleSignIns[0] ?? email
  useEffect(() => {
    const channel = proofChannel()
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (data === true) proofStore.settle(true)
      else setProblem(`That's not the account you log in with. Choose ${account}.`)
    })
    return () => channel.close()
  }, [account])

  function open() {
    setProblem(null)
    window.open(addressOf(googleEndpoints.start, { query: { for: 'proof' } }), 'ranklark-proof', 'popup,width=520,height=700')
  }

  return (
    <div className="flex flex-col gap-4">
      <p>
        Google opens in a new window. Choose <span className="break-all">{account}</span>.
      </p>
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      <Actions>
        <Button variant="primary" onClick={open}>
          Continue with Google
        </Button>
      </Actions>
    </div>
  )
}

function Actions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={() => proofStore.settle(false)}>Cancel</Button>
      {children}
    </div>
  )
}
