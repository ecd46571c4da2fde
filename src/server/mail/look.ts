import type { CSSProperties } from 'react'

/**
 * Colors, written into every element for mail programs that drop `<style>`; those that keep it and support `prefers-color-scheme` get the
 * dark ones. Both are the product's colors (web/styles/tokens.css).
 */
export const light = {
  page: '#f9fafc',
  surface: '#ffffff',
  line: '#dfe1e5',
  text: '#151b24',
  muted: '#5d646f',
  brand: '#2c5dbd',
  onBrand: '#ffffff',
}
export const dark: typeof light = {
  page: '#0c1016',
  surface: '#141920',
  line: '#292e37',
  text: '#e9ebef',
  muted: '#9399a2',
  brand: '#77a4f6',
  onBrand: '#0d121b',
}

/** Contains nothing that HTML escapes: React would write an entity, which means something else in a style sheet. */
export const stylesheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
  .inside { padding: 20px 20px 16px !important; }
}
@media (prefers-color-scheme: dark) {
  .page, .page td { background-color: ${dark.page} !important; }
  .page td, .page h1, .page p, .page li { color: ${dark.text} !important; }
  .card, .card td { background-color: ${dark.surface} !important; }
  .card { border-color: ${dark.line} !important; }
  .page .muted, .page a.muted { color: ${dark.muted} !important; }
  .page .wordmark, .page a.link { color: ${dark.brand} !important; }
  .page a.button, .page a.button span { background-color: ${dark.brand} !important; color: ${dark.onBrand} !important; }
}
`

/** For emails in a color that isn't ours: it may be too dark for dark mode, so only buttons use it. */
export const brandRules = ({ color, onColor }: { color: string; onColor: string }): string => `
@media (prefers-color-scheme: dark) {
  .page .wordmark, .page a.link { color: ${dark.text} !important; }
  .page a.button, .page a.button span { background-color: ${color} !important; color: ${onColor} !important; }
}
`

const paragraph: CSSProperties = { margin: '0 0 16px', fontSize: '16px', lineHeight: '24px', color: light.text, overflowWrap: 'anywhere' }

export const styles = {
  page: {
    margin: '0',
    padding: '24px 12px',
    backgroundColor: light.page,
    color: light.text,
    fontFamily: 'Inter, -apple-system, BlinkMacSystemFont, Segoe UI, Roboto, Helvetica, Arial, sans-serif',
  },
  column: { maxWidth: '600px', margin: '0 auto' },
  wordmark: { margin: '0 0 16px', padding: '0 4px', fontSize: '18px', lineHeight: '24px', fontWeight: 700, color: light.brand },
  logo: { margin: '0 0 16px', padding: '12px 16px', backgroundColor: '#ffffff', borderRadius: '10px' },
  card: { backgroundColor: light.surface, border: `1px solid ${light.line}`, borderRadius: '10px', borderCollapse: 'separate' },
  inside: { padding: '32px' },
  headline: { margin: '0 0 16px', fontSize: '20px', lineHeight: '28px', fontWeight: 600, color: light.text, overflowWrap: 'anywhere' },
  paragraph,
  remark: { ...paragraph, margin: '16px 0 0', fontSize: '14px', lineHeight: '20px', color: light.muted },
  link: { color: light.brand, textDecoration: 'underline', overflowWrap: 'anywhere' },
  button: {
    padding: '12px 20px',
    borderRadius: '8px',
    backgroundColor: light.brand,
    color: light.onBrand,
    fontSize: '16px',
    fontWeight: 600,
  },
  address: { ...paragraph, margin: '16px 0 0', fontSize: '13px', lineHeight: '20px', color: light.muted },
  facts: { margin: '0 0 24px', borderCollapse: 'collapse', fontSize: '16px', lineHeight: '24px', color: light.text },
  factName: { padding: '2px 24px 2px 0', color: light.muted, verticalAlign: 'top' },
  factValue: { padding: '2px 0', fontVariantNumeric: 'tabular-nums' },
  list: { margin: '0 0 16px', paddingLeft: '24px' },
  item: { ...paragraph, margin: '0 0 4px' },
  gap: { border: 'none', borderTop: 'none', margin: '16px 0 0' },
  footer: { margin: '0 0 8px', padding: '0 4px', fontSize: '13px', lineHeight: '20px', color: light.muted, overflowWrap: 'anywhere' },
  footerLink: { color: light.muted, textDecoration: 'underline', overflowWrap: 'anywhere' },
} satisfies Record<string, CSSProperties>
