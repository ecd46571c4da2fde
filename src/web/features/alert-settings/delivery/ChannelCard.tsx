import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { Card } from '../../../ui/Card.tsx'
import { SwitchControl } from '../../../ui/form/Switch.tsx'
import { WarningNote } from '../../../ui/WarningNote.tsx'

type ChannelCardProps = {
  icon: LucideIcon
  title: string
  description: ReactNode
  on: boolean
  onToggle: (on: boolean) => void
  /** Why it isn't available: the owner can choose a plan that includes it, but can't change anything else. */
  locked?: { reason: string; byPlan: boolean } | null
  /** Why nothing is sent anymore. */
  problem: string | null
  /** The server's refusal of the switch. */
  refusal?: string | undefined
  children: ReactNode
}

/** One channel for messages to people. */
export function ChannelCard(props: ChannelCardProps) {
  const { icon: Icon, title, description, on, onToggle, locked = null, problem, refusal, children } = props
  const id = useId()
  const lockId = `${id}-lock`
  return (
    <section aria-labelledby={id}>
      <Card className="flex h-full flex-col gap-5">
        <div>
          <div className="flex items-center gap-3">
            <span
              className={clsx(
                'flex size-9 shrink-0 items-center justify-center rounded-control transition-colors duration-150 [&_svg]:size-4.5',
                on ? 'bg-brand-soft text-brand' : 'bg-sunken text-muted',
              )}
            >
              <Icon aria-hidden />
            </span>
            <h3 id={id} className="min-w-0 flex-1 text-base font-semibold break-words">
              {title}
            </h3>
            <SwitchControl
              labelledBy={id}
              describedBy={locked === null ? undefined : lockId}
              checked={on}
              disabled={locked !== null}
              onChange={onToggle}
            />
          </div>
          <p className="mt-2 text-muted">{description}</p>
          {locked !== null && (
            <p className="mt-2 flex flex-wrap items-center gap-x-3">
              <span id={lockId} className="font-medium">
                {locked.reason}
              </span>
              {locked.byPlan && (
                <Link to={paths.settings} className="inline-flex min-h-10 items-center font-medium text-brand hover:underline">
                  See plans
                </Link>
              )}
            </p>
          )}
        </div>
        {problem !== null && <WarningNote>{problem}</WarningNote>}
        {refusal !== undefined && (
          <p role="alert" className="text-sm text-critical">
            {refusal}
          </p>
        )}
        {children}
      </Card>
    </section>
  )
}

/** Inactive while its channel is off. */
export function ChannelFields({ name, disabled, children }: { name: string; disabled: boolean; children: ReactNode }) {
  return (
    <fieldset
      disabled={disabled}
      className="flex min-w-0 flex-col gap-4 transition-opacity duration-150 disabled:opacity-55 [&_:disabled]:opacity-100!"
    >
      <legend className="sr-only">{name}</legend>
      {children}
    </fieldset>
  )
}
