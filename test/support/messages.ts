import type { Envelope } from '../../src/server/delivery/channels/channel.ts'
import type { Message, MessageItem } from '../../src/server/delivery/message.ts'

const current = { start: '2025-11-03', end: '2025-11-09' }
const previous = { start: '2025-10-27', end: '2025-11-02' }

/** A site-wide alert for tests, with optional changes. */
export const anItem = (changes: Partial<MessageItem> = {}): MessageItem => ({
  alertId: '12',
  event: 'opened',
  severity: 'critical',
  state: 'firing',
  type: 'clicks',
  title: 'Clicks dropped across the site',
  sentence: ['Clicks fell from 1,204 to 660 in the last week.'],
  entity: { kind: 'site', name: 'sc-domain:example.com' },
  currentValue: 660,
  previousValue: 1204,
  change: -45.18,
  current,
  previous,
  openedAt: '2025-11-12T10:24:00.000Z',
  contributors: [],
  series: [170, 160, 90],
  action: null,
  ...changes,
})

/** An alert about one page or query, as the server writes it. */
export const aNamedItem = (kind: 'page' | 'query', name: string, changes: Partial<MessageItem> = {}): MessageItem =>
  anItem({
    title: `Clicks dropped: ${kind === 'query' ? `“${name}”` : name}`,
    sentence: ['Clicks for ', { name }, ' fell from 1,204 to 660.'],
    entity: { kind, name },
    ...changes,
  })

export const alertsOf = (items: MessageItem[], property = 'sc-domain:example.com'): Message => ({
  kind: 'alerts',
  properties: [{ name: property, items }],
  monitored: 1,
})

/** One property's section of a digest. */
export const aSection = (name: string, items: MessageItem[] = []) => ({
  name,
  standing: {
    current,
    previous,
    clicks: { value: 660, previous: 1204, change: -45.18 },
    impressions: { value: 20_500, previous: 20_000, change: 2.5 },
    ctr: { value: 0.0322, previous: 0.0602, change: -46.5 },
    position: { value: 8.25, previous: null, change: null },
  },
  items,
  open: items.length,
})

export const anEnvelope = (message: Message, changes: Partial<Envelope> = {}): Envelope => ({
  key: '6f1e7f4e-4f0a-4a06-9d3f-2a8a0f3f1a11',
  message,
  destination: '',
  extra: null,
  person: { id: '1', username: 'ada', timeZone: 'UTC' },
  baseUrl: 'https://ranklark.example',
  writtenAt: new Date('2025-11-12T10:30:00.000Z'),
  ...changes,
})
