import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, Monitor, Smartphone } from 'lucide-react'
import { Suspense, lazy, useRef, useState } from 'react'
import type { SignedInAt } from '../../../contract/account/profile.ts'
import { removeGoogleSignIns, sessionsQuery, signOutOthers } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { showUser } from '../../api/session.ts'
import { formatMoment } from '../../lib/dates.ts'
import { deviceOf } from '../../lib/device.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { connectGoogle } from '../../shell/connect-google.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { ImportForm } from '../../shell/import/ImportForm.tsx'
import { useConnectionResult } from '../../shell/use-connection-result.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { ConfirmButton } from '../../ui/overlay/ConfirmDialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { GoogleIntegrationCard } from './GoogleIntegrationCard.tsx'
import { PasswordPart } from './PasswordPart.tsx'
import { ProfileCard } from './ProfileCard.tsx'
import { SecurityPart } from './SecurityPart.tsx'

export function AccountPage() {
  useConnectionResult()
  return (
    <>
      <title>Account · Ranklark</title>
      <h1 className="mb-5 text-title font-semibold">Account</h1>
      <div className="grid max-w-3xl grid-cols-1 gap-5">
        <ProfileCard />
        <SecurityCard />
        <GoogleIntegrationCard />
        <SectionCard
          title="Import"
          description="Add Search Console data you've exported: older days for a connected property, or a new property."
        >
          <ImportForm />
        </SectionCard>
      </div>
    </>
  )
}

function SecurityCard() {
  return (
    <SectionCard title="Account security">
      <div className="flex flex-col gap-6 divide-y divide-line *:not-last:pb-6">
        <PasswordPart />
        <GoogleSignInPart />
        <TwoFactorPart />
        <SessionsPart />
      </div>
    </SectionCard>
  )
}

/** The Google accounts that log in here. The one with the synced data is separate (GoogleIntegrationCard.tsx). */
function GoogleSignInPart() {
  const { googleSignIns, hasPassword } = useCurrentUser()
  const isOn = googleSignIns.length > 0
  return (
    <SecurityPart
      title="Log in with Google"
      description={
        isOn
          ? `You can log in with ${googleSignIns.join(' or ')}.${hasPassword ? '' : ' To remove Google login, set a password first.'}`
          : "You can't log in with Google yet. To log in with the account that syncs your Search Console data, add it here."
      }
    >
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => connectGoogle('/account', 'sign-in')}>{isOn ? 'Add another' : 'Add a Google account'}</Button>
        {isOn && hasPassword && <RemoveSignIns accounts={googleSignIns} />}
      </div>
    </SecurityPart>
  )
}

function RemoveSignIns({ accounts }: { accounts: readonly string[] }) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: removeGoogleSignIns,
    onSuccess: async (user) => {
      await showUser(client, user)
      toast.success('Google Login Removed', 'Log in with your password from now on.')
    },
    onError: (error) => toast.error('Google Login Not Removed', failureText(error, "Couldn't remove the Google login. Please try again.")),
  })
  return (
    <ConfirmButton
      title="Remove Google login?"
      description={`You'll no longer be able to log in with ${accounts.join(' or ')}. All other sessions will end. Your Search Console data keeps syncing.`}
      confirm="Remove Google login"
      pending={remove.isPending}
      onConfirm={(close) => remove.mutate(undefined, { onSettled: close })}
    >
      Remove
    </ConfirmButton>
  )
}

const TwoFactorSetupDialog = lazy(async () => ({ default: (await import('./TwoFactorDialogs.tsx')).TwoFactorSetupDialog }))
const RecoveryCodesDialog = lazy(async () => ({ default: (await import('./TwoFactorDialogs.tsx')).RecoveryCodesDialog }))
const TwoFactorOffDialog = lazy(async () => ({ default: (await import('./TwoFactorDialogs.tsx')).TwoFactorOffDialog }))

const dialogs = { setUp: TwoFactorSetupDialog, codes: RecoveryCodesDialog, off: TwoFactorOffDialog }

function TwoFactorPart() {
  const { twoFactorEnabled } = useCurrentUser()
  const [open, setOpen] = useState<keyof typeof dialogs | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const returnTo = useRef<HTMLElement>(null)
  const Dialog = open === null ? null : dialogs[open]

  function close(switched: boolean) {
    if (switched) returnTo.current = heading.current
    setOpen(null)
  }

  function button(label: string, dialog: keyof typeof dialogs) {
    return (
      <Button
        aria-haspopup="dialog"
        onClick={(event) => {
          returnTo.current = event.currentTarget
          setOpen(dialog)
        }}
      >
        {label}
      </Button>
    )
  }

  return (
    <SecurityPart
      title="Two-factor authentication"
      headingRef={heading}
      description={
        twoFactorEnabled
          ? 'Logging in also requires a code from your authenticator app.'
          : 'With an authenticator app, nobody can log in with just your password.'
      }
      badge={
        twoFactorEnabled ? (
          <Badge tone="positive" icon={<CircleCheck aria-hidden />}>
            On
          </Badge>
        ) : (
          <Badge icon={<CircleDashed aria-hidden />}>Off</Badge>
        )
      }
    >
      <div className="flex flex-wrap gap-2">
        {twoFactorEnabled ? (
          <>
            {button('New recovery codes', 'codes')}
            {button('Turn off', 'off')}
          </>
        ) : (
          button('Set up', 'setUp')
        )}
      </div>
      {Dialog && (
        <Suspense>
          <Dialog onClose={close} finalFocus={() => returnTo.current} />
        </Suspense>
      )}
    </SecurityPart>
  )
}

function SessionsPart() {
  const sessions = useQuery(sessionsQuery)
  const others = sessions.data?.filter(({ current }) => !current).length ?? 0
  return (
    <SecurityPart
      title="Where you're logged in"
      description="If you don't recognize a session, log out other sessions and change your password."
    >
      {sessions.isPending ? (
        <Skeleton className="h-14 max-w-md" />
      ) : sessions.isError ? (
        <div className="flex flex-wrap items-center gap-3">
          <p>{failureText(sessions.error, "Couldn't load your sessions.")}</p>
          <Button onClick={() => void sessions.refetch()}>Try again</Button>
        </div>
      ) : (
        <SessionList sessions={sessions.data} />
      )}
      {others > 0 && <SignOutOthers />}
    </SecurityPart>
  )
}

function SignOutOthers() {
  const client = useQueryClient()
  const { twoFactorEnabled } = useCurrentUser()
  const signOut = useMutation({
    mutationFn: signOutOthers,
    onSuccess: async () => {
      await client.invalidateQueries(sessionsQuery)
      toast.success('Other Sessions Logged Out', "You're now logged in only on this browser.")
    },
    onError: (error) => toast.error('Error', failureText(error, "Couldn't log out your other sessions. Please try again.")),
  })
  return (
    <ConfirmButton
      className="mt-4"
      title="Log out other sessions?"
      description={`Every other browser and device will have to log in again. You'll stay logged in here.${twoFactorEnabled ? ' Your trusted browsers will be cleared.' : ''}`}
      confirm="Log out other sessions"
      pending={signOut.isPending}
      onConfirm={(close) => signOut.mutate(undefined, { onSettled: close })}
    >
      Log out other sessions
    </ConfirmButton>
  )
}

function SessionList({ sessions }: { sessions: readonly SignedInAt[] }) {
  const now = useNow()
  return (
    <ul className="flex flex-col gap-4">
      {sessions.map(({ current, userAgent, ipAddress, signedInAt }, index) => {
        const { name, handheld } = deviceOf(userAgent)
        const Icon = handheld ? Smartphone : Monitor
        const since = `Since ${inSentence(formatMoment(new Date(signedInAt), now))}`
        return (
          // Two logins from one browser can look identical.
          // oxlint-disable-next-line react/no-array-index-key -- the list is replaced as a whole
          <li key={index} className="flex items-start gap-3">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
            <div className="min-w-0">
              <div className="flex flex-wrap items-center gap-x-2">
                <span className="font-medium">{name}</span>
                {current && <Badge tone="brand">This browser</Badge>}
              </div>
              <p className="text-sm break-words text-muted">{ipAddress === null ? since : `${since} · ${ipAddress}`}</p>
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** `Today, 14:05` within a sentence; names of days and months stay capitalized. */
const inSentence = (moment: string): string => moment.replace(/^(Today|Yesterday)/, (word) => word.toLowerCase())
