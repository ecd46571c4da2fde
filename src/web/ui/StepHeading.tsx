import { clsx } from 'clsx'
import { type ReactNode, useEffect, useRef } from 'react'

type StepHeadingProps = {
  level?: 1 | 2
  title: string
  children: ReactNode
  /** Takes the focus, where the step before it had it. */
  takesFocus?: boolean
}

/** The heading of a step, and what to do in it. */
export function StepHeading({ level = 1, title, children, takesFocus = false }: StepHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <div className="mb-5">
      <Heading ref={heading} tabIndex={-1} className={clsx('font-semibold outline-none', level === 1 ? 'text-title' : 'text-base')}>
        {title}
      </Heading>
      <div className="mt-1 break-words text-muted">{children}</div>
    </div>
  )
}
