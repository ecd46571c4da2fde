import { useQuery } from '@tanstack/react-query'
import { BellPlus } from 'lucide-react'
import { useId, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { conditionsQuery } from '../../api/alert-conditions.ts'
import { onWelcomeChange, readWelcome } from '../../shell/welcome/welcome.ts'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'

/** For somebody who knows the product by now but has no rule yet (SPEC §4). */
export function FirstAlertPrompt({ property }: { property: string | null }) {
  const id = useId()
  const { completed } = useSyncExternalStore(onWelcomeChange, readWelcome)
  const { data: rules } = useQuery({ ...conditionsQuery(property), enabled: completed })
  if (!completed || rules === undefined || rules.length > 0) return null
  return (
    <section aria-labelledby={id}>
      <Card className="flex flex-wrap items-center gap-x-5 gap-y-4">
        <span className="flex size-10 shrink-0 items-center justify-center rounded-control bg-brand-soft text-brand">
          <BellPlus aria-hidden className="size-5" />
        </span>
        <div className="min-w-0 flex-1 basis-56">
          <h2 id={id} className="text-base font-semibold">
            Ready to set up your first alert?
          </h2>
          <p className="mt-0.5 text-muted">
            {property === null
              ? 'Your first property comes with rules already turned on. For now, you can choose where alerts go.'
              : 'Choose which changes in clicks, impressions, CTR or position trigger an alert.'}
          </p>
        </div>
        <Link to={paths.alertSettings} className={buttonClass(property === null ? 'secondary' : 'primary')}>
          Create Your First Alert
        </Link>
      </Card>
    </section>
  )
}
