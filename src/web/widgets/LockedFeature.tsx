import { Check, type LucideIcon } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { buttonClass } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'

type LockedFeatureProps = {
  Icon: LucideIcon
  title: string
  /** The plan that includes it. */
  reason: string
  /** What it includes. */
  holds: readonly string[]
}

/** Replaces what the plan doesn't include: what it is, which plan has it, and how to get it. */
export function LockedFeature({ Icon, title, reason, holds }: LockedFeatureProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="print:hidden">
      <Card className="flex flex-col gap-5 sm:flex-row">
        <span className="flex size-9 shrink-0 items-center justify-center rounded-control bg-brand-soft text-brand [&_svg]:size-4.5">
          <Icon aria-hidden />
        </span>
        <div className="min-w-0 flex-1">
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          <ul className="mt-3 grid gap-x-6 gap-y-2 text-muted lg:grid-cols-2">
            {holds.map((line) => (
              <li key={line} className="flex items-start gap-2">
                <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-brand" />
                {line}
              </li>
            ))}
          </ul>
          <p className="mt-4 font-medium">{reason}</p>
          <Link to={paths.settings} className={buttonClass('primary', 'mt-4')}>
            See plans
          </Link>
        </div>
      </Card>
    </section>
  )
}
