import { severityOfUnusual } from '../../src/core/alerting/unusual/verdict.ts'
import { detect, type DetectorState, type Verdict } from '../../src/core/detection/smart.ts'
import type { Sensitivity } from '../../src/core/detection/calibration.ts'
import type { DailyCounts, IsHoliday } from '../../src/core/detection/series.ts'
import { addDays } from '../../src/core/analytics/days.ts'
import type { Site } from './generator.ts'
import { type Random, thinned } from './random.ts'

const cooldown = 14
const sensitivity: Sensitivity = 'normal'

const look = (series: DailyCounts, isHoliday: IsHoliday, state: DetectorState | null) => detect(series, { isHoliday, sensitivity }, state)

/** Days after a spike on which a rise is genuine. */
const spikeLasts = 16
/** Days after an outage on which its drop is still seen. */
const outageLasts = 3

/** Each day's verdict on its own evening, when some days were not complete yet; on later evenings they are as revised. */
function verdictsOf({ series, late, isHoliday }: Site): Verdict[] {
  const { verdicts } = look(series, isHoliday, null)
  let state: DetectorState | null = null
  for (const [i, count] of late) {
    const before = series.counts.slice(0, i)
    state = look({ ...series, counts: before }, isHoliday, state).state
    const [then] = look({ ...series, counts: [...before, count] }, isHoliday, state).verdicts.slice(-1)
    if (then) verdicts[i] = then
  }
  return verdicts
}

/** Alarms on a site where nothing happened, from index `from` on: each lasts fourteen days. */
export function alarmsOf(site: Site, from: number) {
  const { series, spikes, outages } = site
  const verdicts = verdictsOf(site)
  const isSpike = (i: number): boolean => spikes.some((spike) => i >= spike && i < spike + spikeLasts)
  const isDrop = ({ fall }: Verdict, i: number): boolean =>
    (fall?.isAlarm ?? false) && !outages.some((outage) => i >= outage.from && i < outage.from + outage.length + outageLasts)
  const count = (isOne: (verdict: Verdict, i: number) => boolean): number => {
    let [alarms, until] = [0, -1]
    for (const [i, verdict] of verdicts.entries()) {
      if (i < from || i < until || !isOne(verdict, i)) continue
      alarms += 1
      until = i + cooldown
    }
    return alarms
  }
  return {
    years: (series.counts.length - from) / 365.25,
    falls: count(isDrop),
    rises: count(({ rise }, i) => (rise?.isAlarm ?? false) && !isSpike(i)),
    criticals: count((verdict, i) => isDrop(verdict, i) && verdict.fall !== null && severityOfUnusual(verdict.fall) === 'critical'),
  }
}

/** On which of fourteen days a drop by `part` that begins at index `at` is found; null if on none. */
export function foundOn({ series, isHoliday }: Site, at: number, part: number, random: Random): number | null {
  const before = look({ ...series, counts: series.counts.slice(0, at) }, isHoliday, null)
  const fallen = series.counts.slice(0, at + cooldown).map((count, i) => (i < at ? count : thinned(random, count ?? 0, 1 - part)))
  const { verdicts } = look({ ...series, counts: fallen }, isHoliday, before.state)
  const found = verdicts.findIndex(({ fall }) => fall?.isAlarm)
  return found === -1 ? null : found + 1
}

/** Seconds per site: one more evening with cached state, with half a year of its history, and from scratch. */
export function secondsOf({ series, isHoliday }: Site): { night: number; scratch: number } {
  const rounds = 20
  const timed = (work: () => unknown): number => {
    work()
    const start = performance.now()
    for (let i = 0; i < rounds; i++) work()
    return (performance.now() - start) / rounds / 1000
  }
  const { counts } = series
  const { state } = look({ ...series, counts: counts.slice(0, -1) }, isHoliday, null)
  const kept = JSON.stringify(state)
  const tail = { start: addDays(series.start, counts.length - tailDays), counts: counts.slice(-tailDays) }
  return {
    night: timed(() => JSON.stringify(look(tail, isHoliday, JSON.parse(kept) as DetectorState).state)),
    scratch: timed(() => look(series, isHoliday, null)),
  }
}

const tailDays = 182
