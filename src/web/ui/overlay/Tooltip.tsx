import { clsx } from 'clsx'
import { type ReactNode, useState } from 'react'

type TooltipProps = {
  content: ReactNode
  children: ReactNode
  /** For a long name that takes the width there is, and is told in its full length. */
  wide?: boolean
  /** Below the button, for what is at the top of the window. */
  below?: boolean
}

/**
 * Says more about a button on hover and focus, which a tap is too; Escape hides it. Screen readers
 * need not come here: the button says the same in its own name.
 */
export function Tooltip({ content, children, wide = false, below = false }: TooltipProps) {
  const [open, setOpen] = useState(false)
  return (
    <span
      role="presentation"
      className={clsx('relative', wide ? 'flex max-w-full min-w-0' : 'inline-flex')}
      onPointerEnter={() => setOpen(true)}
      onPointerLeave={() => setOpen(false)}
      onFocus={() => setOpen(true)}
      onBlur={() => setOpen(false)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false)
      }}
    >
      {children}
      {open && (
        // The padding bridges the gap, so that the pointer can reach what it reads; a wide one lies over others of its
        // kind and lets the pointer through. Narrower than the narrowest card, so that it never widens the page.
        <span
          role="tooltip"
          className={clsx(
            'absolute left-0 z-20 w-max',
            wide ? 'pointer-events-none max-w-[min(30rem,100%)]' : 'max-w-52',
            below ? 'top-full pt-1' : ['bottom-full', wide ? 'pb-1' : 'pb-1.5'],
          )}
        >
          <span
            className={clsx(
              'block rounded-md bg-text px-2.5 py-1.5 text-sm text-page shadow-float',
              wide ? 'wrap-anywhere whitespace-pre-wrap' : 'whitespace-normal tabular-nums',
            )}
          >
            {content}
          </span>
        </span>
      )}
    </span>
  )
}
