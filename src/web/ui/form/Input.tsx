import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

export type InputProps = ComponentProps<'input'>

// 16 px on phones, or else iOS zooms in on the field.
export function Input({ className, ...props }: InputProps) {
  return (
    <input
      className={clsx(
        'control w-full min-w-0 rounded-control border border-line-control bg-surface px-3 text-[1rem] placeholder:text-muted disabled:opacity-60 aria-invalid:border-critical lg:text-base',
        className,
      )}
      {...props}
    />
  )
}
