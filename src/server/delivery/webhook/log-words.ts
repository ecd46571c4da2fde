import { itemsIn, type Message, type NewsItem } from '../message.ts'

const eventWords: Record<NewsItem['event'], string> = { opened: 'opened', recovered: 'recovered', woken: 'back from snooze' }

/** What a message tells of: `2 alerts opened, 1 recovered`. */
export function wordsOf(message: Message | null): string {
  if (message === null) return 'Content no longer stored'
  if (message.kind === 'test') return 'Test message'
  const items = itemsIn(message)
  const counts = (['opened', 'recovered', 'woken'] as const)
    .map((event) => ({ event, count: items.filter((item) => item.event === event).length }))
    .filter(({ count }) => count > 0)
  if (counts.length === 0) return 'Site summary'
  const [first] = counts
  const noun = first?.count === 1 ? 'alert' : 'alerts'
  return counts.map(({ event, count }, index) => `${count} ${index === 0 ? `${noun} ` : ''}${eventWords[event]}`).join(', ')
}
