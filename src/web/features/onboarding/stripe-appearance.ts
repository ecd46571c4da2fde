import type { Appearance } from '@stripe/stripe-js'
import { useMemo, useSyncExternalStore } from 'react'

/** Stripe's form in our colors, following theme changes while it is open. */
export function useStripeAppearance(): Appearance {
  const dark = useSyncExternalStore(onThemeChange, isDark)
  return useMemo(() => appearance(dark), [dark])
}

const isDark = (): boolean => document.documentElement.classList.contains('dark')

function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] })
  return () => observer.disconnect()
}

function appearance(dark: boolean): Appearance {
  const color = colors()
  return {
    theme: dark ? 'night' : 'stripe',
    variables: {
      colorPrimary: color('--brand'),
      colorBackground: color('--surface'),
      colorText: color('--text'),
      colorTextSecondary: color('--muted'),
      colorTextPlaceholder: color('--muted'),
      colorDanger: color('--critical'),
      fontFamily: 'Inter, ui-sans-serif, system-ui, sans-serif',
      fontSizeBase: '16px',
      fontSizeSm: '14px',
      borderRadius: '8px',
      spacingUnit: '4px',
    },
    rules: {
      '.Input': { border: `1px solid ${color('--line-control')}`, boxShadow: 'none' },
      '.Input:focus': { border: `1px solid ${color('--brand')}`, boxShadow: `0 0 0 1px ${color('--brand')}` },
      '.Label': { fontWeight: '500', color: color('--text') },
    },
  }
}

/** Reads tokens as `rgb()`: the form's frame has none of our variables, and no OKLCH. */
function colors(): (token: string) => string {
  const tokens = getComputedStyle(document.documentElement)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return (token) => {
    const value = tokens.getPropertyValue(token).trim()
    if (context === null) return value
    context.fillStyle = value
    context.fillRect(0, 0, 1, 1)
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
    return `rgb(${red}, ${green}, ${blue})`
  }
}
