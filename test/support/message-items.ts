import { sentenceOf, titleOf, type AlertFacts } from '../../src/core/alerting/copy.ts'
import type { About as AboutMail } from '../../src/server/delivery/email/pieces.ts'
import type { MessageOf, MessageItem, Standing } from '../../src/server/delivery/message.ts'

const windows: AlertFacts['windows'] = {
  current: { start: '2026-11-03', end: '2026-11-09' },
  base: { start: '2026-10-27', end: '2026-11-02' },
}

type About = Partial<Omit<MessageItem, 'title' | 'sentence'>> & { about?: Partial<AlertFacts> }

let alerts = 100

/** What a message says about an alert, worded like real alerts; about a site that lost clicks unless specified otherwise. */
export function messageItem({ about = {}, ...changes }: About = {}): MessageItem {
  const facts: AlertFacts = {
    kind: 'change',
    metric: 'clicks',
    entity: { kind: 'site', name: 'sc-domain:example.com' },
    previous: 1204,
    current: 660,
    change: -45.18,
    windows,
    ...about,
  }
  alerts += 1
  return {
    alertId: String(alerts),
    event: 'opened',
    severity: 'critical',
    state: 'firing',
    type: facts.metric,
    title: titleOf(facts),
    sentence: [...sentenceOf(facts)],
    entity: facts.entity,
    currentValue: facts.current,
    previousValue: facts.previous,
    change: facts.change,
    current: facts.windows.current,
    previous: facts.windows.base,
    openedAt: '2026-11-12T06:30:00.000Z',
    contributors: [],
    series: [],
    action: null,
    ...changes,
  }
}

/** The same about a property that can no longer be read. */
export const connectionItem = (changes: Partial<MessageItem> = {}): MessageItem => ({
  ...messageItem(),
  title: 'Google access was revoked',
  sentence: ['Google access expired or was revoked, so sc-domain:example.com is not being updated. Connect your Google account again.'],
  entity: { kind: 'connection', name: 'token_revoked' },
  currentValue: null,
  previousValue: null,
  change: null,
  current: null,
  previous: null,
  action: { label: 'Reconnect Google', href: '/api/auth/google?redirect=/dashboard' },
  ...changes,
})

export const alertsOf = (items: MessageItem[], property = 'sc-domain:example.com'): MessageOf<'alerts'> => ({
  kind: 'alerts',
  properties: [{ name: property, items }],
  monitored: 1,
})

export const standing = (changes: Partial<Standing> = {}): Standing => ({
  current: windows.current,
  previous: windows.base,
  clicks: { value: 1234, previous: 1195, change: 3.26 },
  impressions: { value: 45678, previous: 47890, change: -4.62 },
  ctr: { value: 0.02702, previous: 0.02495, change: 8.26 },
  position: { value: 8.42, previous: 8.4, change: 0.02 },
  ...changes,
})

const why = 'Google counted this differently on some of these days'
/** The week of 28 Apr to 4 May 2026, before which Google counted everything except clicks differently. */
export const acrossAnEdge = standing({
  current: { start: '2026-04-28', end: '2026-05-04' },
  previous: { start: '2026-04-21', end: '2026-04-27' },
  impressions: { value: 45678, previous: 60904, change: null, incomparable: why },
  ctr: { value: 0.02702, previous: 0.0196, change: null, incomparable: why },
  position: { value: 8.42, previous: 7.1, change: null, incomparable: why },
})

type Section = MessageOf<'digest'>['properties'][number]
export const section = (name: string, changes: Partial<Section> = {}): Section => ({
  name,
  standing: standing(),
  items: [],
  open: 0,
  ...changes,
})

/** What an email says about its recipient and installation. */
export const aboutMail: AboutMail = {
  username: 'ann',
  timeZone: 'UTC',
  baseUrl: 'https://rank.example',
  unsubscribePage: 'https://rank.example/unsubscribe?token=a.b',
  verdictPage: ({ alertId }, verdict) => `https://rank.example/alert-verdict?say=${verdict}&token=${alertId}.b`,
}
