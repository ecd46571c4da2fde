import { clsx } from 'clsx'
import { type ReactNode, useState } from 'react'

type TooltipProps = {
  content: ReactNode
  children: ReactNode
  /** For a long name: takes the available width and shows all of it. */
  wide?: boolean
  /** Below the button, for buttons at the top of the window. */
  below?: boolean
}

/**
 * Describes a button on hover and focus, including a tap; Escape hides it. Screen readers don't need it: the button's own name says the
 * same.
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
        // The padding bridges the gap, so that the pointer can reach the text; a wide one covers others of its kind and lets the pointer
        // through. Narrower than the narrowest card, so that it never widens the page.
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
