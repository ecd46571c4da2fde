import { useEffect } from 'react'
import type { ShownBrand } from '../../../contract/publishing.ts'

const ours = { href: '/favicon.svg', type: 'image/svg+xml' }
/** An address that holds nothing, so that no browser looks for an icon of its own accord. */
const none = { href: 'data:,', type: '' }

/** The icon of the browser's tab: the brand's logo, ours without a brand, none where a brand has no logo. */
export function useBrandIcon(brand: ShownBrand | null): void {
  useEffect(() => {
    const icon = document.head.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (icon === null) return
    const { href, type } = brand === null ? ours : brand.logo === null ? none : { href: brand.logo, type: 'image/png' }
    icon.type = type
    icon.href = href
  }, [brand])
}
