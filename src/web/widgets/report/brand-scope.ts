import type { CSSProperties } from 'react'
import { readableOn } from '../../../core/reports/readable-on.ts'

type Scope = { className: string; style: CSSProperties }

/**
 * What is within is in a brand's colour: headings, lines and buttons. Where something is written in it, it is made as dark
 * or as light as the theme needs for reading.
 */
export function brandScope(colour: string): Scope {
  return { className: scopeClass, style: { '--client': colour, '--on-client': readableOn(colour) } as CSSProperties }
}

const scopeClass =
  '[--brand:oklch(from_var(--client)_min(l,0.5)_c_h)] dark:[--brand:oklch(from_var(--client)_max(l,0.74)_c_h)] [--brand-soft:color-mix(in_oklab,var(--client)_9%,var(--surface))]'

/** The colour as it is, with what can be read on it; within a `brandScope` only. */
export const inBrandClass = 'bg-(--client)! text-(--on-client)!'
