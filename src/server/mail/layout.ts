import { Body } from '@react-email/body'
import { Button } from '@react-email/button'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Heading } from '@react-email/heading'
import { Hr } from '@react-email/hr'
import { Html } from '@react-email/html'
import { Link } from '@react-email/link'
import { Preview } from '@react-email/preview'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import { createElement as h, type ReactElement, type ReactNode } from 'react'
import { brandRules, light, stylesheet, styles } from './look.ts'
import { oneLine } from './one-line.ts'

/** The result of an email's template. */
export type Draft = { subject: string; mail: ReactElement }

/** The apparent sender if it isn't us: nothing in such an email leads to us. */
export type EmailBrand = {
  name: string
  /** The color of buttons, and a readable text color on it. */
  color: string
  onColor: string
  logo: { src: string; width: number; height: number } | null
}

type LayoutProps = {
  /** Shown by mail programs after the subject. */
  preview: string
  /** What happened. */
  headline: string
  /** Why they get this email. */
  reason: string
  /** This installation's URL. */
  baseUrl: string
  /** Further lines below the reason. */
  footer?: readonly (readonly ReactNode[])[]
  /** More CSS; the email must work without it (see `stylesheet`). */
  rules?: string
  brand?: EmailBrand | undefined
}

/** The layout of all emails: 600 px, one column, readable in dark mode and without images. */
export function layout(
  { preview, headline, reason, baseUrl, footer = [], rules = '', brand }: LayoutProps,
  ...content: ReactNode[]
): ReactElement {
  return h(
    Html,
    { lang: 'en' },
    h(
      Head,
      null,
      h('meta', { name: 'viewport', content: 'width=device-width' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
      h('title', null, headline),
      h('style', null, stylesheet + (brand ? brandRules(brand) : '') + rules),
    ),
    h(
      Body,
      { className: 'page', style: styles.page },
      h(Preview, null, preview),
      h(
        Container,
        { style: styles.column },
        wordmark(brand),
        h(
          Section,
          { className: 'card', style: styles.card },
          // Some mail programs ignore a table's padding, but none a cell's.
          h('div', { className: 'inside', style: styles.inside }, h(Heading, { as: 'h1', style: styles.headline }, headline), ...content),
        ),
        h(Hr, { style: styles.gap }),
        footerLine(reason),
        ...footer.map((line) => footerLine(...line)),
        brand ? null : footerLine('Ranklark monitors your performance in Google Search. Sent from ', footerLink(baseUrl, baseUrl)),
      ),
    ),
  )
}

/** An email to a person; its headline is its subject unless it says otherwise. */
export const draft = (
  { subject, headline = subject, ...rest }: Omit<LayoutProps, 'headline'> & { subject: string; headline?: string },
  ...content: ReactNode[]
): Draft => ({ subject, mail: layout({ headline, ...rest }, ...content) })

function wordmark(brand: EmailBrand | undefined): ReactElement {
  const props = { className: 'wordmark', 'data-skip-in-text': true }
  if (!brand) return h(Text, { ...props, style: styles.wordmark } as object, 'Ranklark')
  if (brand.logo) return h('div', { ...props, style: styles.logo }, h('img', { ...brand.logo, alt: brand.name }))
  return h(Text, { ...props, style: { ...styles.wordmark, color: light.text } } as object, oneLine(brand.name))
}

const footerLine = (...content: ReactNode[]): ReactElement => h(Text, { className: 'muted', style: styles.footer }, ...content)

export const footerLink = (label: string, href: string): ReactElement =>
  h(Link, { href, className: 'muted', style: styles.footerLink }, label)

export const paragraph = (...content: ReactNode[]): ReactElement => h(Text, { style: styles.paragraph }, ...content)

/** Optional information. */
export const remark = (...content: ReactNode[]): ReactElement => h(Text, { className: 'muted', style: styles.remark }, ...content)

export const strong = (text: string): ReactElement => h('strong', null, oneLine(text))

/** An account by its name; one that may mislead strangers was left out (operators.ts). */
export const theAccount = (username: string | null, first: 'the' | 'The' = 'the'): ReactNode[] =>
  username === null ? [first === 'The' ? 'A Ranklark account' : 'a Ranklark account'] : [`${first} Ranklark account `, strong(username)]

export const inlineLink = (label: string, href: string): ReactElement => h(Link, { href, className: 'link', style: styles.link }, label)

/** The one thing to do: a button, plus its URL for those who can't press it. */
export function action(label: string, href: string, brand?: EmailBrand): ReactElement {
  const button = brand ? { ...styles.button, backgroundColor: brand.color, color: brand.onColor } : styles.button
  const link = brand ? { ...styles.link, color: light.text } : styles.link
  return h(
    Section,
    null,
    h(Button, { href, className: 'button', style: button }, label),
    h(Text, { className: 'muted', style: styles.address }, `${label}: `, h(Link, { href, className: 'link', style: link }, href)),
  )
}

/** Names with values, one row each. */
export function facts(rows: readonly (readonly [name: string, value: string])[]): ReactElement {
  const cells = rows.map(([name, value]) =>
    h('tr', { key: name }, h('td', { className: 'muted', style: styles.factName }, name), h('td', { style: styles.factValue }, value)),
  )
  return h('table', { className: 'facts', role: 'presentation', style: styles.facts }, h('tbody', null, cells))
}

export function list(items: readonly string[]): ReactElement {
  const lines = items.map((item) => h('li', { key: item, style: styles.item }, oneLine(item)))
  return h('ul', { style: styles.list }, lines)
}
