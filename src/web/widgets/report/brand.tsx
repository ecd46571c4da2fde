import type { CSSProperties } from 'react'
import type { ShownBrand } from '../../../contract/reports/reports.ts'
import { readableOn } from '../../../core/reports/readable-on.ts'

/** A brand's logo, on white in either theme, as logos are made for paper; its name if it has none. */
export function BrandLogo({ brand: { name, logo } }: { brand: Pick<ShownBrand, 'name' | 'logo'> }) {
  if (logo === null) return <span className="text-lg font-semibold wrap-anywhere">{name}</span>
  return <img src={logo} alt={name} className="h-12 w-auto max-w-60 self-start rounded-md bg-[#fff] object-contain p-1.5" />
}

type Scope = { className: string; style: CSSProperties }

/**
 * Applies a brand's color to its content: headings, lines and buttons. As a text color it is made as dark or light as the theme requires
 * for reading.
 */
export function brandScope(color: string): Scope {
  return { className: scopeClass, style: { '--client': color, '--on-client': readableOn(color) } as CSSProperties }
}

const scopeClass =
  '[--brand:oklch(from_var(--client)_min(l,0.5)_c_h)] dark:[--brand:oklch(from_var(--client)_max(l,0.74)_c_h)] [--brand-soft:color-mix(in_oklab,var(--client)_9%,var(--surface))]'

/** The exact color, with readable text on it; within a `brandScope` only. */
export const inBrandClass = 'bg-(--client)! text-(--on-client)!'
