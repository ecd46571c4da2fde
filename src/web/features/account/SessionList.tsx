import { Monitor, Smartphone } from 'lucide-react'
import type { SignedInAt } from '../../../contract/account.ts'
import { formatMoment } from '../../lib/dates.ts'
import { deviceOf } from '../../lib/device.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Badge } from '../../ui/Badge.tsx'

export function SessionList({ sessions }: { sessions: readonly SignedInAt[] }) {
  const now = useNow()
  return (
    <ul className="flex flex-col gap-4">
      {sessions.map(({ current, userAgent, ipAddress, signedInAt }, index) => {
        const { name, handheld } = deviceOf(userAgent)
        const Icon = handheld ? Smartphone : Monitor
        const since = `Since ${inSentence(formatMoment(new Date(signedInAt), now))}`
        return (
          // Two logins of one browser can agree in everything that is told of them.
          // oxlint-disable-next-line react/no-array-index-key -- the list is replaced as a whole
          <li key={index} className="flex items-start gap-3">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
            <div className="min-w-0">
              <div className="flex flex-wrap items-center gap-x-2">
                <span className="font-medium">{name}</span>
                {current && <Badge tone="brand">This one</Badge>}
              </div>
              <p className="text-sm break-words text-muted">{ipAddress === null ? since : `${since} · ${ipAddress}`}</p>
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** `Today, 14:05` in the middle of a sentence; names of days and months keep their capital. */
const inSentence = (moment: string): string => moment.replace(/^(Today|Yesterday)/, (word) => word.toLowerCase())
