import type { CSSProperties } from 'react'
import type { Severity } from '../../../contract/alerts/alerts.ts'
import { dark, light, styles as mailStyles } from '../../mail/look.ts'

/** Same as the product's (web/styles/tokens.css): SPEC §4 assigns them to severities. */
type Tone = 'critical' | 'warning' | 'positive' | 'neutral'
type Tint = { text: string; tint: string }
const lightTones: Record<Tone, Tint> = {
  critical: { text: '#be2323', tint: '#ffefed' },
  warning: { text: '#865403', tint: '#fef2d9' },
  positive: { text: '#146d34', tint: '#e4f8e7' },
  neutral: { text: light.text, tint: '#eff2f6' },
}
const darkTones: Record<Tone, Tint> = {
  critical: { text: '#f7857d', tint: '#401d1b' },
  warning: { text: '#e6b55d', tint: '#382810' },
  positive: { text: '#73cb87', tint: '#152d1a' },
  neutral: { text: dark.text, tint: '#1d222a' },
}
const lightBars = { now: light.brand, before: '#b3bac5', name: '#eff2f6' }
const darkBars = { now: dark.brand, before: '#535a66', name: '#1d222a' }

export const toneOf: Record<Severity, Tone> = { critical: 'critical', warning: 'warning', info: 'positive', positive: 'positive' }

const darkTone = (tone: Tone): string =>
  `  .page .${tone} { color: ${darkTones[tone].text} !important; background-color: ${darkTones[tone].tint} !important; }\n`

/** Details and dark mode. Contains nothing that HTML escapes (mail/look.ts). */
export const rules = `
.figures th, .figures td { padding: 6px 0 6px 12px; border-bottom: 1px solid ${light.line}; }
.figures th { font-weight: 400; color: ${light.muted}; white-space: nowrap; }
.figures td { white-space: nowrap; }
.figures .first { padding-left: 0; white-space: normal; overflow-wrap: anywhere; }
@media (max-width: 480px) {
  .figures { font-size: 13px !important; }
  .figures th, .figures td { padding-left: 8px; }
}
@media (prefers-color-scheme: dark) {
  .page h2, .page h3 { color: ${dark.text} !important; }
  .page .rule { border-color: ${dark.line} !important; }
  .page th { color: ${dark.muted} !important; background-color: ${dark.surface} !important; }
  .page .figures th, .page .figures td { border-color: ${dark.line} !important; }
  .page code { background-color: ${darkBars.name} !important; }
  .page .now { background-color: ${darkBars.now} !important; }
  .page .before { background-color: ${darkBars.before} !important; }
${darkTone('critical')}${darkTone('warning')}${darkTone('positive')}${darkTone('neutral')}}
`

const small: CSSProperties = { margin: '0 0 16px', fontSize: '14px', lineHeight: '20px', color: light.text, overflowWrap: 'anywhere' }

export const styles = {
  item: { borderTop: `1px solid ${light.line}`, margin: '16px 0 0', padding: '16px 0 0' },
  /** The first one is right below the headline. */
  firstItem: { margin: '0' },
  title: { margin: '0 0 8px', fontSize: '17px', lineHeight: '24px', fontWeight: 600, color: light.text, overflowWrap: 'anywhere' },
  shortTitle: { margin: '14px 0 2px', fontSize: '14px', lineHeight: '20px', fontWeight: 600, color: light.text, overflowWrap: 'anywhere' },
  titleLink: { color: light.brand, overflowWrap: 'anywhere' },
  /** In a title, but not as loud. */
  handled: { fontWeight: 400, color: light.muted },
  site: { margin: '0 0 4px', fontSize: '16px', lineHeight: '24px', fontWeight: 600, color: light.text, overflowWrap: 'anywhere' },
  sentence: mailStyles.paragraph,
  small,
  note: { ...small, margin: '8px 0 16px', fontSize: '13px', color: light.muted },
  /** A paragraph with a muted line right below it. */
  beforeNote: { ...small, margin: '0 0 2px' },
  afterSmall: { ...small, fontSize: '13px', color: light.muted },
  figures: { margin: '0 0 16px', fontSize: '14px', lineHeight: '20px', color: light.text, fontVariantNumeric: 'tabular-nums' },
  heading: { margin: '20px 0 4px', fontSize: '14px', lineHeight: '20px', fontWeight: 600, color: light.text },
  name: {
    padding: '1px 4px',
    borderRadius: '4px',
    backgroundColor: lightBars.name,
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
    fontSize: '0.9em',
    overflowWrap: 'anywhere',
  },
  bars: { margin: '4px 0 0', tableLayout: 'fixed', fontSize: 0, lineHeight: 0 },
  nowBar: { backgroundColor: lightBars.now },
  beforeBar: { backgroundColor: lightBars.before },
  unbroken: { whiteSpace: 'nowrap' },
  ending: { padding: '12px 0 0' },
  list: { margin: '0 0 16px', paddingLeft: '24px' },
  listed: { ...small, margin: '0 0 6px' },
} satisfies Record<string, CSSProperties>

export const badgeStyle = (tone: Tone): CSSProperties => ({
  display: 'inline-block',
  marginRight: '4px',
  padding: '0 8px',
  borderRadius: '10px',
  fontSize: '12px',
  lineHeight: '20px',
  fontWeight: 600,
  color: lightTones[tone].text,
  backgroundColor: lightTones[tone].tint,
})
