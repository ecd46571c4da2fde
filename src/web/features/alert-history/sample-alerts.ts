import type { Alert, AlertState, Severity } from '../../../contract/alerts/alerts.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { changeOf } from '../../../core/alerting/figures.ts'
import { markupOf, sentenceOf, titleOf, type AlertFacts } from '../../../core/alerting/copy.ts'

type Sample = Pick<AlertFacts, 'metric' | 'entity'> & {
  previous: number
  current: number
  severity: Severity
  state: AlertState
  daysAgo: number
}

const site = 'https://example.com/'

/** One for each of the filter's options, and one that is over. */
const samples: readonly Sample[] = [
  {
    metric: 'clicks',
    entity: { kind: 'page', name: `${site}desk-lamps` },
    previous: 1_240,
    current: 806,
    severity: 'critical',
    state: 'firing',
    daysAgo: 0,
  },
  {
    metric: 'ctr',
    entity: { kind: 'query', name: 'oak desk lamp' },
    previous: 0.0481,
    current: 0.0365,
    severity: 'warning',
    state: 'acknowledged',
    daysAgo: 1,
  },
  {
    metric: 'impressions',
    entity: { kind: 'site', name: site },
    previous: 21_400,
    current: 34_250,
    severity: 'positive',
    state: 'firing',
    daysAgo: 3,
  },
  {
    metric: 'position',
    entity: { kind: 'query', name: 'reading lamp' },
    previous: 3.2,
    current: 7.6,
    severity: 'warning',
    state: 'recovered',
    daysAgo: 9,
  },
]

/** Examples of what the history will look like, worded like real alerts. */
export const sampleAlerts = (now: Date): Alert[] => samples.map((sample, index) => alertOf(sample, `sample-${index}`, now))

function alertOf({ metric, entity, previous, current, severity, state, daysAgo }: Sample, id: string, now: Date): Alert {
  const opened = new Date(now.getTime() - daysAgo * 86_400_000)
  // Search Console is about three days behind.
  const end = addDays(opened.toISOString().slice(0, 10), -3)
  const windows = {
    current: { start: addDays(end, -6), end },
    base: { start: addDays(end, -13), end: addDays(end, -7) },
  }
  const change = changeOf(metric, previous, current)
  const facts: AlertFacts = { kind: 'change', metric, entity, previous, current, change, windows }
  return {
    id,
    severity,
    type: metric,
    title: titleOf(facts),
    description: markupOf(sentenceOf(facts)),
    currentValue: current,
    previousValue: previous,
    timestamp: opened.toISOString(),
    target: site,
    data: [],
    viewed: true,
    state,
    snoozedUntil: null,
    entity,
    change,
    current: windows.current,
    previous: windows.base,
    findings: [],
    conditionId: null,
    verdict: null,
    action: null,
  }
}
