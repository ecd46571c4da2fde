import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { iconButtonClass } from '../../ui/Button.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { unreadCountQuery } from './unread-alerts.ts'

const NotificationList = lazy(async () => ({ default: (await import('./NotificationList.tsx')).NotificationList }))

/** Shows how many alerts of all properties are new. The list is fetched when it is opened (OPEN-POINTS 2, 22). */
export function Notifications() {
  const { data: count = 0 } = useQuery(unreadCountQuery)
  const shown = count > 99 ? '99+' : String(count)
  return (
    <Popover
      label={count === 0 ? 'Notifications' : `Notifications, ${shown} unread across all sites`}
      title="Notifications"
      triggerClass={iconButtonClass('relative')}
      trigger={
        <>
          <Bell aria-hidden />
          {count > 0 && (
            <span className="absolute top-0.5 right-0.5 min-w-4 rounded-full bg-critical px-1 text-[0.625rem] leading-4 font-semibold text-on-critical tabular-nums">
              {shown}
            </span>
          )}
        </>
      }
    >
      {(close) => (
        <div className="w-88 max-w-full">
          <Suspense fallback={<Spinner label="Loading notifications" />}>
            <NotificationList onLeave={close} />
          </Suspense>
        </div>
      )}
    </Popover>
  )
}
