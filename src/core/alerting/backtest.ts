import type { IsoDate } from '../../contract/common.ts'
import { addDays, eachDay } from '../analytics/days.ts'
import { mostLasting, mostMovedOf } from './bounds.ts'
import type { Finding } from './evaluate.ts'
import { type OpenAlert, transitions, type Verdict } from './lifecycle.ts'
import { type History, isReady, knownWeeks } from './readiness.ts'
import type { Rule } from './rule.ts'
import { judgeRules } from './run.ts'
import type { Series } from './series.ts'
import { entitiesToJudge } from './watched.ts'
import { historyWeeks, windowsOf } from './windows.ts'

/** The alerts that one day would have opened. */
export type BacktestDay = { date: IsoDate; findings: readonly Finding[] }

/**
 * What a rule would have done, had it been judged on each day of the stored history as it is on the last one.
 * @param series every entity that the rule may have looked at on any of those days
 * @param pause waited for between two days: judging many entities takes a while
 */
export async function backtest(
  rule: Rule,
  series: readonly Series[],
  history: Omit<History, 'isGrowing'>,
  through: IsoDate,
  pause: () => Promise<void>,
): Promise<{ from: IsoDate | null; days: BacktestDay[] }> {
  const days: BacktestDay[] = []
  let open: OpenAlert[] = []
  let from: IsoDate | null = null
  for (const day of daysToTry(history.from, through)) {
    await pause()
    const windows = windowsOf(rule.comparison, day)
    if (!isReady(rule, windows, { ...history, isGrowing: false })) continue
    from ??= day
    const weeks = knownWeeks(windows.current, history.completeDays)
    const watched = open.map(({ entity }) => entity.name)
    const entities = entitiesToJudge({ rule, windows, weeks, series, watched })
    const [run] = judgeRules([{ rule, windows, entities }], history.completeDays)
    const verdicts = run && 'verdicts' in run ? run.verdicts : []
    const lasting = stillOpen(open, verdicts, day)
    const found = transitions(open, verdicts, day).flatMap((step) => (step.to === 'firing' ? [step.finding] : []))
    const findings = mostMovedOf(found, mostLasting - lasting.length)
    if (findings.length > 0) days.push({ date: day, findings })
    open = [...lasting, ...findings.map((finding) => openedBy(finding, day))]
  }
  return { from, days }
}

/** Every day for which enough of the past is stored to know what is usual; of a short history, every day there is. */
function daysToTry(from: IsoDate | null, through: IsoDate): IsoDate[] {
  if (from === null) return []
  const settled = addDays(from, 7 * (historyWeeks + 1) - 1)
  return eachDay(settled < through ? settled : from, through)
}

function stillOpen(open: readonly OpenAlert[], verdicts: readonly Verdict[], day: IsoDate): OpenAlert[] {
  // A rule looks at entities of one kind.
  const byName = new Map(verdicts.map((verdict) => [verdict.entity.name, verdict]))
  return open.flatMap((alert): OpenAlert[] => {
    const verdict = byName.get(alert.entity.name)
    if (!verdict) return [alert]
    return verdict.finding ? [{ ...alert, latest: verdict.finding, judgedThrough: day }] : []
  })
}

const openedBy = (finding: Finding, judgedThrough: IsoDate): OpenAlert => ({
  id: JSON.stringify(finding.entity),
  ruleId: finding.ruleId,
  entity: finding.entity,
  state: 'firing',
  finding,
  latest: finding,
  judgedThrough,
})
