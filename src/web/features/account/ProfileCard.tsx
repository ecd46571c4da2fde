import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useContext, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { profileForm, type ProfileForm as Values } from '../../../contract/account/profile.ts'
import { noMailText } from '../../../core/delivery/no-mail.ts'
import { failureText } from '../../api/client.ts'
import { reloadChannels } from '../../api/delivery.ts'
import { showUser } from '../../api/session.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { updateUser } from '../../api/account.ts'
import { ShowProperty, useCurrentUser } from '../../shell/current-user.ts'
import { useSendsMail, useSendVerification } from '../../shell/email.ts'
import { useProperties } from '../../shell/properties.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { fieldOf } from '../../ui/form/field-of.ts'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { PropertyLabel } from '../../widgets/PropertyName.tsx'
import { profileChange } from './profile-change.ts'

export function ProfileCard() {
  return (
    <SectionCard title="Profile" description="Your username, your email address and the property you're viewing.">
      <ProfileForm />
    </SectionCard>
  )
}

function ProfileForm() {
  const client = useQueryClient()
  const show = useContext(ShowProperty)
  const user = useCurrentUser()
  const properties = useProperties()
  const sendsMail = useSendsMail()
  const form = useForm<Values>({
    resolver: zodResolver(profileForm),
    // Changes made elsewhere, as by the property selector in the header, show here too, unless somebody is editing it here.
    values: { username: user.username, email: user.pendingEmail ?? user.email, selectedProperty: user.selectedProperty ?? undefined },
    resetOptions: { keepDirtyValues: true },
  })
  const [problem, setProblem] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: (values: Values) => updateUser(profileChange(user, values)),
    onSuccess: async (saved, values) => {
      form.reset(values)
      await showUser(client, saved)
      if (values.selectedProperty !== undefined && values.selectedProperty !== user.selectedProperty) show(values.selectedProperty)
      const asked = saved === null ? null : (saved.pendingEmail ?? (saved.emailVerified ? null : saved.email))
      const isNew = asked !== null && asked !== (user.pendingEmail ?? user.email)
      if (isNew) void reloadChannels(client)
      toast.success('Profile Updated', isNew && sendsMail ? `We sent a confirmation email to ${asked}.` : 'Your profile has been saved.')
    },
    onMutate: () => setProblem(null),
    onError: (error) => {
      // The reason belongs next to its field.
      if (!showAtField(form, error)) setProblem(failureText(error, '') || null)
      toast.error('Update Failed', 'There was an error updating your profile.')
    },
  })

  return (
    <form noValidate className="flex max-w-md flex-col gap-4" onSubmit={form.handleSubmit((values) => save.mutate(values))}>
      <Field label="Username" autoComplete="username" autoCapitalize="none" spellCheck={false} {...fieldOf(form, 'username')} />
      <div>
        <Field label="Email" type="email" autoComplete="email" {...fieldOf(form, 'email')} />
        <AddressState />
      </div>
      <div>
        <Controller
          control={form.control}
          name="selectedProperty"
          render={({ field }) => (
            <Select
              label="Property"
              placeholder="No property selected"
              value={field.value ?? null}
              choices={properties.map((property) => ({ value: property.name, label: <PropertyLabel property={property} /> }))}
              disabled={properties.length === 0}
              onChange={field.onChange}
            />
          )}
        />
        {properties.length === 0 && <p className="mt-1.5 text-sm text-muted">Connect Google or import a file below to add one.</p>}
      </div>
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      <Button type="submit" variant="primary" className="self-start" disabled={save.isPending}>
        {save.isPending ? 'Saving...' : 'Save changes'}
      </Button>
    </form>
  )
}

/** Whether the saved address is confirmed, and what to do if it isn't. */
function AddressState() {
  const { email, emailVerified, pendingEmail } = useCurrentUser()
  const send = useSendVerification(pendingEmail ?? email)
  const sendsMail = useSendsMail()
  if (emailVerified && pendingEmail === null) {
    return (
      <Badge tone="positive" icon={<CircleCheck aria-hidden />} className="mt-2">
        Confirmed
      </Badge>
    )
  }
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-1">
      <Badge tone="warning" icon={<CircleDashed aria-hidden />}>
        {pendingEmail === null ? 'Not confirmed' : 'Waiting for confirmation'}
      </Badge>
      {sendsMail ? (
        <Button variant="quiet" className="text-brand!" disabled={send.isPending} onClick={() => send.mutate()}>
          {send.isPending ? 'Sending...' : 'Resend email'}
        </Button>
      ) : (
        <p className="mt-1.5 text-sm text-muted">{noMailText}</p>
      )}
      {pendingEmail !== null && (
        <p className="mt-1.5 basis-full text-sm text-muted">
          Your account keeps using <span className="break-all">{email}</span> until you open the link we sent to{' '}
          <span className="break-all">{pendingEmail}</span>. The link expires in 24 hours. To cancel, enter your current address and save.
        </p>
      )}
    </div>
  )
}
