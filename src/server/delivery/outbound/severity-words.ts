import type { Severity } from '../../../contract/alerts/alerts.ts'
import type { NewsItem } from '../message.ts'

/** As the screens call them. */
export const severityWords: Record<Severity, string> = { critical: 'Critical', warning: 'Warning', info: 'Info', positive: 'Positive' }

/** What is over has recovered, or was found by hours and withdrawn by the final day. */
export const overWord = ({ hours }: Pick<NewsItem, 'hours'>): 'Recovered' | 'Withdrawn' =>
  hours?.status === 'withdrawn' ? 'Withdrawn' : 'Recovered'

/** What did not get worse: a change for the better, or the end of an alert. */
export const isGood = ({ severity, event }: Pick<NewsItem, 'severity' | 'event'>): boolean =>
  event === 'recovered' || severity === 'positive'
