import { pausedWords } from '../../lib/plans.ts'
import { useCurrentUser } from '../../shell/current-user.ts'

/** After a lower limit came into force: their owner chooses what stays. */
export function PausedNote() {
  const user = useCurrentUser()
  if (user.sitesPaused === 0) return null
  return (
    <section aria-label="Paused sites" className="mb-5 rounded-card border border-line bg-warning-soft p-4">
      <p>
        <strong className="font-semibold">{pausedWords(user)}</strong> Select the ones to keep. The others keep all their data and pick up
        where they left off when you select them again.
      </p>
    </section>
  )
}
