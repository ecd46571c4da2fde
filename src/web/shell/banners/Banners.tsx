import { FlaskConical, MailCheck, PauseCircle, TriangleAlert } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { needsOwner } from '../../api/sync.ts'
import { formatMoment } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { paths } from '../../paths.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { FixLink } from '../../ui/FixLink.tsx'
import { useCurrentUser } from '../current-user.ts'
import { useSendsMail, useSendVerification, waitingAlertsText } from '../email.ts'
import { pausedWords } from '../plans.ts'
import { useSyncStatus } from '../sync.ts'

// These know nothing before their figures have arrived, so the first screen need not wait for their code; requested right away all the same.
const laterBanners = import('./LaterBanners.tsx')

/** Null until they are loaded. Not by Suspense, which shows nothing within 300 ms of what it showed last. */
function useLaterBanners(): Awaited<typeof laterBanners> | null {
  const [loaded, setLoaded] = useState<Awaited<typeof laterBanners> | null>(null)
  useEffect(() => {
    // Without their code, say after an update, the screen still works; the next load has it.
    laterBanners.then(setLoaded, () => {})
  }, [])
  return loaded
}

const roomKey = 'ranklark-notices-height'

/**
 * Notices shown on every screen, the most urgent first. Most become known after the screen below is there; until then, they have the room
 * they took on the last visit, so that they don't push it down.
 */
export function Banners() {
  const later = useLaterBanners()
  const all = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(() => Number(readStored(() => localStorage, roomKey) ?? 0))
  const [isKnown, setIsKnown] = useState(false)
  const onKnown = useCallback(() => {
    setRoom(0)
    setIsKnown(true)
  }, [])
  useEffect(() => {
    const notices = all.current
    if (!isKnown || notices === null) return
    const observer = new ResizeObserver(() => writeStored(() => localStorage, roomKey, String(notices.offsetHeight)))
    observer.observe(notices)
    return () => observer.disconnect()
  }, [isKnown])
  return (
    <div ref={all} style={{ minHeight: room }}>
      <ConnectionBanner />
      {later === null ? (
        <PausedBanner />
      ) : (
        <>
          <later.PlanBanner otherwise={<PausedBanner />} />
          <later.DeliveryBanner />
          <later.NewRuleBanner />
          <later.WhenKnown onKnown={onKnown} />
        </>
      )}
      <ConfirmAddressBanner />
      <DemoBanner />
    </div>
  )
}

/** Says why no data is coming in and how to fix it. */
function ConnectionBanner() {
  const status = useSyncStatus()
  const now = useNow()
  if (status === null || status.message === null) return null
  return (
    <Banner
      tone={needsOwner(status) ? 'critical' : 'warning'}
      label="Connection"
      icon={<TriangleAlert aria-hidden />}
      action={status.action && <FixLink {...status.action} />}
    >
      <p>
        {status.message}
        {status.retryAt !== null && ` Next attempt: ${formatMoment(new Date(status.retryAt), now)}.`}
      </p>
    </Banner>
  )
}

/** Says that the plan doesn't cover all sites. */
function PausedBanner() {
  const user = useCurrentUser()
  if (user.sitesPaused === 0) return null
  return (
    <Banner
      tone="warning"
      label="Paused sites"
      icon={<PauseCircle aria-hidden />}
      action={
        <Link to={paths.selectSites} className={buttonClass()}>
          Choose which to keep
        </Link>
      }
    >
      <p>{pausedWords(user)}</p>
    </Banner>
  )
}

/** Says that this is sample data, and how to connect one's own. */
function DemoBanner() {
  const { demo } = useCurrentUser()
  const [dismissed, dismiss] = useDismissed('ranklark-demo-banner-dismissed')
  if (!demo || dismissed !== null) return null
  return (
    <Banner
      tone="brand"
      label="Demo"
      icon={<FlaskConical aria-hidden />}
      dismiss={{ label: 'Dismiss demo notice', onDismiss: () => dismiss('yes') }}
    >
      <p>
        <strong className="font-semibold">This is a demo with sample sites.</strong> To connect your own Search Console, follow the README.
      </p>
    </Banner>
  )
}

/** Asks to confirm the email address. Can be dismissed unless alerts are waiting for it. */
function ConfirmAddressBanner() {
  const { email, emailVerified } = useCurrentUser()
  const sendsMail = useSendsMail()
  const later = useLaterBanners()
  const [waiting, setWaiting] = useState(0)
  // The address it was dismissed for: another one has to be confirmed again.
  const [dismissed, dismiss] = useDismissed('ranklark-confirm-address-dismissed')
  const send = useSendVerification(email)
  if (emailVerified || !sendsMail) return null
  const count = later && <later.WaitingAlerts onChange={setWaiting} />
  if (dismissed === email && waiting === 0) return count
  return (
    <Banner
      tone="warning"
      label="Email address"
      icon={<MailCheck aria-hidden />}
      {...(waiting === 0 && { dismiss: { label: 'Dismiss email notice', onDismiss: () => dismiss(email) } })}
      action={
        <Button disabled={send.isPending} onClick={() => send.mutate()}>
          {send.isPending ? 'Sending...' : 'Send again'}
        </Button>
      }
    >
      <p className="break-words">
        <strong className="font-semibold">Confirm your email address:</strong> we sent a link to {email}. {waitingAlertsText(waiting)}
      </p>
      {count}
    </Banner>
  )
}

/** What a notice was last dismissed for in this tab, null if it wasn't, and how to dismiss it. */
function useDismissed(key: string): [string | null, (of: string) => void] {
  const [dismissed, setDismissed] = useState(() => readStored(() => sessionStorage, key))
  return [
    dismissed,
    (of) => {
      writeStored(() => sessionStorage, key, of)
      setDismissed(of)
    },
  ]
}
