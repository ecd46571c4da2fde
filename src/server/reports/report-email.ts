import { createElement as h, type ReactElement } from 'react'
import { propertyName } from '../../core/accounts/property-name.ts'
import { changeText, daysOf, figure, nouns } from '../../core/alerting/copy.ts'
import { changeOf } from '../../core/analytics/shown-change.ts'
import { kindTitle } from '../../core/reports/copy.ts'
import { readableOn } from '../../core/reports/readable-on.ts'
import { countedDifferently } from '../../core/reports/copy.ts'
import { leftOutWords } from '../../core/reports/together.ts'
import { action, facts, footerLink, layout, type EmailBrand, list, paragraph, remark, strong } from '../mail/layout.ts'
import { styles } from '../mail/look.ts'
import { oneLine } from '../mail/one-line.ts'
import { type Composed, render } from '../mail/render.ts'
import type { MailContent } from './mail-content.ts'
import { counted } from '../../core/words.ts'

/** The logo's content id in the email. */
export const logoId = 'logo'
/** Pixels; drawn at twice the size for sharp screens. */
const mostLogo = { width: 240, height: 56 }

export type ReportMail = {
  content: MailContent
  logo: Buffer | null
  /** The username of the sending account; null if it may mislead strangers. */
  username: string | null
  /** This installation's URL, without a trailing slash. */
  baseUrl: string
  /** The report's page; null if its reader has none. */
  page: string | null
  unsubscribePage: string
}

/** The email with a report's PDF: how it went, on one screen. */
export function reportEmail(mail: ReportMail): Composed {
  const { content, username, baseUrl, page, unsubscribePage } = mail
  const { title, kind, period, properties, within, partial, totals, previousTotals, notComparable, movers, alertCount, missing } = content
  const sites = properties.length - within.length - partial.length
  const remarks = [
    countedDifferently(notComparable),
    leftOutWords(content, shortName),
    missingWords(missing),
    notStoredWords(content),
  ].filter((each) => each !== null)
  const brand = content.brand ? brandOf(content.brand, mail.logo) : undefined
  const name = shortName(title)
  const days = daysOf(period, true)
  const word = kindTitle(kind)
  const footer = [["Don't want these reports? ", footerLink('Unsubscribe', unsubscribePage)]]
  return render({
    subject: `${word}: ${name}, ${days}`,
    mail: layout(
      {
        preview: `${counted(totals.clicks, 'click')} and ${counted(totals.impressions, 'impression')} in Google Search, ${days}.`,
        headline: `${word}: ${name}`,
        reason: content.brand
          ? `You're receiving this email because ${shortened(content.brand.name, 80)} sends you reports on ${name}.`
          : `You're receiving this email because ${username === null ? 'a Ranklark account' : `the Ranklark account ${shortened(username, 60)}`} sends reports on ${name} to this address.`,
        baseUrl,
        footer,
        brand,
      },
      paragraph(
        sites === 1 ? 'Performance in Google Search, ' : `Combined performance of ${sites} sites in Google Search, `,
        strong(days),
        previousTotals ? `, compared with the previous ${kind}:` : ':',
      ),
      facts(figuresOf(content)),
      ...(movers.length === 0
        ? []
        : [h('h2', { style: { ...styles.headline, fontSize: '16px' } }, 'Biggest changes'), moved(movers, sites > 1)]),
      ...(alertCount === 0 ? [] : [paragraph(`${counted(alertCount, 'alert')} for this period.`)]),
      paragraph('The full report is attached as a PDF.'),
      ...(page === null ? [] : [action('Open the report', page, brand)]),
      ...remarks.map((words) => remark(words)),
    ),
  })
}

const metrics = ['clicks', 'impressions', 'ctr', 'position'] as const

const figuresOf = ({ totals, previousTotals: previous, notComparable }: MailContent): [string, string][] =>
  metrics.map((metric) => {
    const value = metric === 'position' && totals.position === 0 ? 'none' : figure(metric, totals[metric])
    if (previous && notComparable.includes(metric)) return [nouns[metric], `${value} (not comparable)`]
    const change = previous && changeOf(metric, totals[metric], previous[metric])
    return [nouns[metric], change === null ? value : `${value} (${changeText(metric, change)})`]
  })

const namesOf = (properties: readonly string[]): string => properties.map(shortName).join(', ')

const missingWords = (missing: readonly string[]): string | null =>
  missing.length === 0 ? null : `Not included because data isn't complete for this period: ${namesOf(missing)}.`

/** If only a day's totals are stored, what moved is unknown. */
function notStoredWords({ properties, notStored: { pages, keywords } }: MailContent): string | null {
  const both = pages.filter((each) => keywords.includes(each))
  const only = (some: readonly string[]) => some.filter((each) => !both.includes(each))
  const lines = (
    [
      ['Page and keyword data', both],
      ['Page data', only(pages)],
      ['Keyword data', only(keywords)],
    ] as const
  )
    .filter(([, some]) => some.length > 0)
    .map(([what, some]) => `${what} isn't available for every day of this period${properties.length === 1 ? '' : ` (${namesOf(some)})`}.`)
  return lines.length === 0 ? null : lines.join(' ')
}

function moved(movers: MailContent['movers'], withProperty: boolean): ReactElement {
  return list(
    movers.map(({ property, what, name, clicks, previous }) => {
      const shown = what === 'keyword' ? `“${shortened(name, 100)}”` : shortened(name, 100)
      const of = withProperty && what === 'keyword' ? ` on ${shortened(propertyName(property), 60)}` : ''
      return `${shown}${of} (${counted(clicks, 'click')}, ${figure('clicks', previous)} before)`
    }),
  )
}

function brandOf({ name, colour: color }: NonNullable<MailContent['brand']>, logo: Buffer | null): EmailBrand {
  return { name, color, onColor: readableOn(color), logo: logo && { src: `cid:${logoId}`, ...shownSize(logo) } }
}

/** The size from a PNG's header. */
function shownSize(png: Buffer): { width: number; height: number } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const scale = Math.min(0.5, mostLogo.width / width, mostLogo.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** A property or a client, on one line. */
const shortName = (name: string): string => shortened(propertyName(name), 80)

/** User-supplied text on one line. */
function shortened(text: string, most: number): string {
  const characters = [...oneLine(text)]
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`
}
