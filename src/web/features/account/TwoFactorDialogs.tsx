import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { encode } from 'uqr'
import { z } from 'zod'
import { proof as withPassword, twoFactorConfirm, type TwoFactorSetup } from '../../../contract/account/profile.ts'
import type { User } from '../../../contract/user.ts'
import { confirmTwoFactor, endTwoFactor, newRecoveryCodes, type Proof, startTwoFactor } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { showUser } from '../../api/session.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { fieldOf } from '../../ui/form/field-of.ts'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { matrixPath } from './matrix-path.ts'
import { HiddenUsername } from './SecurityPart.tsx'

type TwoFactorDialogProps = {
  /** `switched`: the second factor was switched on or off, and the button that opened the dialog is about to disappear. */
  onClose: (switched: boolean) => void
  /** Gets the focus once the dialog is gone. */
  finalFocus: () => HTMLElement | null
}

/** Password, then the secret and a first code from the app, then the recovery codes. Takes effect only once the code was correct. */
export function TwoFactorSetupDialog({ onClose, finalFocus }: TwoFactorDialogProps) {
  const client = useQueryClient()
  const [setup, setSetup] = useState<TwoFactorSetup | null>(null)
  const [done, setDone] = useState(false)

  async function begin(proof: Proof) {
    const answer = await startTwoFactor(proof)
    if (answer === null) throw new Error('There is nothing to set up')
    setSetup(answer)
  }

  async function confirmed(user: User | null) {
    setDone(true)
    await showUser(client, user)
  }

  function close() {
    onClose(done)
    if (done) toast.success('Two-Factor Authentication On', 'Logging in now requires a code from your authenticator app.')
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) close()
      }}
      finalFocus={finalFocus}
      title={done ? 'Save your recovery codes' : 'Set up two-factor authentication'}
      description={
        done
          ? "Two-factor authentication is on. Use these codes to log in without your phone. Each works once. You won't see them again."
          : setup === null && 'You need an authenticator app on your phone, such as Google Authenticator, 2FAS or 1Password.'
      }
    >
      {setup === null ? (
        <ProofForm action="Continue" pending="Continuing..." prove={begin} />
      ) : done ? (
        <RecoveryCodes codes={setup.recoveryCodes} onDone={close} />
      ) : (
        <ConfirmCodeStep setup={setup} onConfirmed={confirmed} />
      )}
    </Dialog>
  )
}

export function RecoveryCodesDialog({ onClose, finalFocus }: TwoFactorDialogProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)

  async function make(proof: Proof) {
    const answer = await newRecoveryCodes(proof)
    if (answer === null) throw new Error('There are no recovery codes')
    setCodes(answer)
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose(false)
      }}
      finalFocus={finalFocus}
      title={codes === null ? 'New recovery codes' : 'Save your recovery codes'}
      description={
        codes === null
          ? 'Create new codes for logging in without your phone. Your current codes will stop working.'
          : "Each code works once. You won't see them again, and your old codes no longer work."
      }
    >
      {codes === null ? (
        <ProofForm action="Create new codes" pending="Creating new codes..." prove={make} />
      ) : (
        <RecoveryCodes codes={codes} onDone={() => onClose(false)} />
      )}
    </Dialog>
  )
}

export function TwoFactorOffDialog({ onClose, finalFocus }: TwoFactorDialogProps) {
  const client = useQueryClient()

  async function switchOff(proof: Proof) {
    await showUser(client, await endTwoFactor(proof))
    onClose(true)
    toast.success('Two-Factor Authentication Off', 'You now log in with just your password.')
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose(false)
      }}
      finalFocus={finalFocus}
      title="Turn off two-factor authentication?"
      description="Anyone with your password will be able to log in. Codes from your authenticator app and your recovery codes will stop working."
    >
      <ProofForm action="Turn off" pending="Turning off..." danger prove={switchOff} />
    </Dialog>
  )
}

/** Shown once; the server keeps no readable copy. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const list = useRef<HTMLUListElement>(null)
  // Before the dialog notices that the focus left with the previous step.
  useLayoutEffect(() => list.current?.focus(), [])
  const text = codes.join('\n')
  return (
    <div className="flex flex-col gap-5">
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-control bg-sunken p-4 outline-none xs:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="text-center">
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy" />
        <Button onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'ranklark-recovery-codes.txt')}>
          <Download aria-hidden />
          Download
        </Button>
        <Button variant="primary" className="ml-auto" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}

const withoutPassword = z.object({ password: z.string() })

type ProofFormProps = {
  action: string
  pending: string
  danger?: boolean
  /** The step behind the password. */
  prove: (proof: Proof) => Promise<void>
}

/** Asks for the password again before a sensitive action; an account without one only gets the button. */
function ProofForm({ action, pending, danger = false, prove }: ProofFormProps) {
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
          <Field label="Your password" type="password" autoComplete="current-password" {...fieldOf(form, 'password')} />
        </>
      )}
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      <Button type="submit" variant={danger ? 'danger' : 'primary'} className="self-end" disabled={submit.isPending}>
        {submit.isPending ? pending : action}
      </Button>
    </form>
  )
}

type ConfirmCodeStepProps = { setup: TwoFactorSetup; onConfirmed: (user: User | null) => Promise<void> }

/** The secret, for the app's camera or typing, and the field for the code that proves the app has it. */
function ConfirmCodeStep({ setup, onConfirmed }: ConfirmCodeStepProps) {
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
