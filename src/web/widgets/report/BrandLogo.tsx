import type { ShownBrand } from '../../../contract/reports/reports.ts'

/** A brand's logo, on white in either theme, as logos are made for paper; its name if it has none. */
export function BrandLogo({ brand: { name, logo } }: { brand: Pick<ShownBrand, 'name' | 'logo'> }) {
  if (logo === null) return <span className="text-lg font-semibold wrap-anywhere">{name}</span>
  return <img src={logo} alt={name} className="h-12 w-auto max-w-60 self-start rounded-md bg-[#fff] object-contain p-1.5" />
}
