import { planNames } from '../../lib/plans.ts'
import { useCurrentUser } from '../../shell/current-user.ts'

/** After a smaller plan took over: its owner chooses what stays. */
export function PausedNote() {
  const { plan, siteLimit, sitesPaused } = useCurrentUser()
  if (sitesPaused === 0) return null
  return (
    <section aria-label="Paused sites" className="mb-5 rounded-card border border-line bg-warning-soft p-4">
      <p>
        <strong className="font-semibold">
          Your {planNames[plan]} plan covers {siteLimit} site(s); {sitesPaused} {sitesPaused === 1 ? 'is' : 'are'} paused.
        </strong>{' '}
        Tick the ones that should stay. The others keep all their data, and go on from there when you choose them again.
      </p>
    </section>
  )
}
