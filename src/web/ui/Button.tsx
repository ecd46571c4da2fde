import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger'

const variants: Record<Variant, string> = {
  primary: 'bg-brand text-on-brand hover:bg-brand-strong',
  secondary: 'border border-line-control bg-surface text-text hover:bg-sunken',
  quiet: 'text-text hover:bg-sunken',
  danger: 'bg-critical text-on-critical hover:bg-critical-strong',
}

const base =
  'inline-flex items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap transition-colors duration-150 select-none disabled:cursor-not-allowed disabled:opacity-60 [&_svg]:size-4 [&_svg]:shrink-0'

/** For links and menu triggers that look like a button. */
export function buttonClass(variant: Variant = 'secondary', className?: string): string {
  return clsx(base, 'control px-3.5', variants[variant], className)
}

type ButtonProps = ComponentProps<'button'> & { variant?: Variant }

export function Button({ variant = 'secondary', className, type = 'button', ...props }: ButtonProps) {
  return <button type={type} className={buttonClass(variant, className)} {...props} />
}

export function iconButtonClass(className?: string): string {
  return clsx(base, 'control-square', variants.quiet, className)
}

type IconButtonProps = ComponentProps<'button'> & { 'aria-label': string }

export function IconButton({ className, type = 'button', ...props }: IconButtonProps) {
  return <button type={type} className={iconButtonClass(className)} title={props['aria-label']} {...props} />
}
