import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, Navigate, useLocation } from 'react-router'
import { sessionQuery } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { ThemeMenu } from '../../shell/frame/ThemeMenu.tsx'
import { LoadingScreen } from '../../shell/LoadingScreen.tsx'
import { useLogout } from '../../shell/use-logout.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Logo, LogoMark } from '../../ui/Logo.tsx'

type OnboardingFrameProps = {
  /** The setup step; null for somebody who returns after it. */
  step: Step | null
  width: 'narrow' | 'wide'
  title: string
  line: ReactNode
  children: ReactNode
}

/** The setup from a plan to the first site, outside of the app's shell. */
export function OnboardingFrame({ step, width, title, line, children }: OnboardingFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex h-14 max-w-[64rem] items-center justify-between gap-2 px-4 sm:px-6">
          <LogoMark className="size-7 min-[22.5rem]:hidden" />
          <span className="hidden min-[22.5rem]:block">
            <Logo />
          </span>
          <div className="-mr-2.5 flex items-center">
            <ThemeMenu />
            <WayOut />
          </div>
        </div>
      </header>
      <main
        className={clsx(
          'mx-auto flex w-full flex-1 flex-col px-4 pt-6 pb-10 sm:px-6 sm:pt-10',
          width === 'wide' ? 'max-w-[64rem]' : 'max-w-[39rem]',
        )}
      >
        {step !== null && (
          <div className="mb-8 sm:mb-10">
            <Stepper current={step} />
          </div>
        )}
        <h1 className={clsx('text-title font-semibold', width === 'wide' && 'sm:text-center')}>{title}</h1>
        <p className={clsx('mt-1 mb-6 text-muted', width === 'wide' && 'sm:mb-8 sm:text-center')}>{line}</p>
        {children}
      </main>
    </div>
  )
}

function WayOut() {
  const { data: session } = useQuery(sessionQuery)
  const logout = useLogout()
  if (session === undefined) return null
  if (session.user === null) {
    return (
      <Link to={paths.login} className={buttonClass('quiet')}>
        Log in
      </Link>
    )
  }
  if (session.user.planChosen) {
    return (
      <Link to={paths.dashboard} className={buttonClass('quiet')}>
        Back to the dashboard
      </Link>
    )
  }
  return (
    <Button variant="quiet" onClick={() => logout.mutate()}>
      Log out
    </Button>
  )
}

type Step = 'plan' | 'payment' | 'sites'

const steps: readonly { step: Step; label: string }[] = [
  { step: 'plan', label: 'Choose Plan' },
  { step: 'payment', label: 'Payment' },
  { step: 'sites', label: 'Select Sites' },
]

/** Progress between choosing a plan and monitoring a site. */
function Stepper({ current }: { current: Step }) {
  const at = steps.findIndex(({ step }) => step === current)
  return (
    <ol aria-label="Setup" className="mx-auto grid w-full max-w-xl grid-cols-3">
      {steps.map(({ step, label }, index) => {
        const done = index < at
        return (
          <li key={step} aria-current={index === at ? 'step' : undefined} className="relative flex flex-col items-center gap-1.5">
            {index > 0 && (
              <span
                aria-hidden
                className={clsx(
                  'absolute top-3.5 right-[calc(50%+1.25rem)] left-[calc(-50%+1.25rem)] h-px',
                  index <= at ? 'bg-brand' : 'bg-line-control',
                )}
              />
            )}
            <span
              aria-hidden
              className={clsx(
                'grid size-7 place-items-center rounded-full text-sm font-semibold tabular-nums [&_svg]:size-4',
                done && 'bg-brand text-on-brand',
                index === at && 'bg-brand-soft text-brand ring-2 ring-brand ring-inset',
                index > at && 'bg-surface text-muted ring-1 ring-line-control ring-inset',
              )}
            >
              {done ? <Check /> : index + 1}
            </span>
            <span className={clsx('text-sm', index === at ? 'font-semibold' : 'text-muted')}>
              {label}
              {done && <span className="sr-only"> (done)</span>}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

/** Wraps the steps of a purchase: an installation that sells nothing goes straight to the sites. */
export function WhereSold({ children }: { children: ReactNode }) {
  const { data: session } = useQuery(sessionQuery)
  const { search } = useLocation()
  if (session === undefined) return <LoadingScreen />
  return session.billing === 'off' ? <Navigate to={{ pathname: paths.selectSites, search }} replace /> : children
}
