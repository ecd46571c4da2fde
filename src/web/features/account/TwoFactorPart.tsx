import { CircleCheck, CircleDashed } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SecurityPart } from './SecurityPart.tsx'

const TwoFactorSetupDialog = lazy(async () => ({ default: (await import('./TwoFactorDialogs.tsx')).TwoFactorSetupDialog }))
const RecoveryCodesDialog = lazy(async () => ({ default: (await import('./TwoFactorDialogs.tsx')).RecoveryCodesDialog }))
const TwoFactorOffDialog = lazy(async () => ({ default: (await import('./TwoFactorDialogs.tsx')).TwoFactorOffDialog }))

const dialogs = { setUp: TwoFactorSetupDialog, codes: RecoveryCodesDialog, off: TwoFactorOffDialog }

export function TwoFactorPart() {
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
          ? 'Logging in also takes a code from your authenticator app.'
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
