import { clsx } from 'clsx'
import { type ReactNode, useEffect, useRef } from 'react'

type StepHeadingProps = {
  level?: 1 | 2
  title: string
  children: ReactNode
  /** Where this step takes the place of another: else the focus would be lost with that one. */
  takesFocus?: boolean
}

/** What a step is called and what to do in it. */
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
