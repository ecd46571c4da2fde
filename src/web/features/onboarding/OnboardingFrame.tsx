import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { sessionQuery } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { ThemeMenu } from '../../shell/frame/ThemeMenu.tsx'
import { useLogout } from '../../shell/use-logout.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Logo, LogoMark } from '../../ui/Logo.tsx'
import { Link } from 'react-router'
import { Stepper, type Step } from './Stepper.tsx'

type OnboardingFrameProps = {
  /** The step of the setup; null for somebody who comes back after it. */
  step: Step | null
  width: 'narrow' | 'wide'
  title: string
  line: ReactNode
  children: ReactNode
}

/** The way from a plan to the first site, outside the app's shell. */
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
