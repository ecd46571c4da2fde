import { clsx } from 'clsx'
import { type ReactNode, useEffect, useRef } from 'react'

type StepHeadingProps = {
  level?: 1 | 2
  title: string
  children: ReactNode
  /** Takes the focus if the previous step had it. */
  takesFocus?: boolean
}

/** A step's heading and instructions. */
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
