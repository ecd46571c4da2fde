import type { Finding } from './evaluate.ts'
import { directionOf } from './figures.ts'
import type { Verdict } from './lifecycle.ts'
import type { RuleVerdicts } from './run.ts'
import type { AlertMetric, Entity } from './rule.ts'
import { severities } from './severity.ts'
import { isOverAYear, type Windows } from './windows.ts'

/** What has to be known about an open alert to tell whether another rule finds the same thing. */
export type Lasting = { ruleId: string; entity: Pick<Entity, 'kind' | 'name'>; metric: AlertMetric; change: number | null } & {
  windows: Pick<Windows, 'current' | 'base'>
}

/**
 * Rules that find the same thing (one metric of one entity, in one direction, compared with recent weeks or with last year) make one
 * alert. It belongs to the rule whose alert is already open, else to a smart rule, else to the rule that finds it most severe; and it
 * stays open while any of them finds it.
 * @param partly rules whose figures are only a part of the page's or query's, each with what that part is
 */
export function mergeSameThing(
  runs: readonly RuleVerdicts[],
  open: readonly Lasting[],
  partly: ReadonlyMap<string, string> = new Map(),
): RuleVerdicts[] {
  const keyOf = (of: Lasting): string => thingOf(of, partly)
  const found = Map.groupBy(
    runs.flatMap((run) => ('verdicts' in run ? run.verdicts.flatMap(({ finding }) => finding ?? []) : [])),
    keyOf,
  )
  const lasting = Map.groupBy(open, keyOf)
  // Once for each: many rules may find the same thousands of things.
  const first = new Map([...found].map(([key, findings]) => [key, findings.toSorted(expectedFirst)[0]]))
  const ownerOf = (key: string): string | undefined => lasting.get(key)?.[0]?.ruleId ?? first.get(key)?.ruleId
  const keyOfAlert = new Map(open.map((alert) => [placeOf(alert.ruleId, alert.entity), keyOf(alert)]))

  return runs.map((run) => {
    if (!('verdicts' in run)) return run
    const verdicts = run.verdicts.flatMap((verdict): Verdict[] => {
      const { finding, ruleId, entity } = verdict
      const own = keyOfAlert.get(placeOf(ruleId, entity))
      if (finding) return ownerOf(keyOf(finding)) === ruleId || own !== undefined ? [verdict] : []
      // Over for its own rule, but not for another one.
      const other = own === undefined || ownerOf(own) !== ruleId ? undefined : first.get(own)
      return [other ? { ...verdict, finding: { ...other, ruleId }, current: other.current } : verdict]
    })
    return { ...run, verdicts }
  })
}

/** The other rules that find what a finding or an open alert is about. */
export function othersFinding(
  runs: readonly RuleVerdicts[],
  partly: ReadonlyMap<string, string> = new Map(),
): (of: Lasting) => readonly string[] {
  const finders = Map.groupBy(
    runs.flatMap((run) => ('verdicts' in run ? run.verdicts.flatMap(({ finding }) => finding ?? []) : [])),
    (finding) => thingOf(finding, partly),
  )
  return (of) => [...new Set(finders.get(thingOf(of, partly))?.map(({ ruleId }) => ruleId))].filter((ruleId) => ruleId !== of.ruleId)
}

/** One metric of one entity, in one direction, compared with recent weeks or with last year. */
const thingOf = ({ ruleId, entity, metric, change, windows }: Lasting, partly: ReadonlyMap<string, string>): string =>
  JSON.stringify([entity.kind, entity.name, metric, directionOf(metric, change), isOverAYear(windows), partly.get(ruleId)])

const expectedFirst = (a: Finding, b: Finding): number =>
  Number(a.months === undefined) - Number(b.months === undefined) || severities.indexOf(a.severity) - severities.indexOf(b.severity)

const placeOf = (ruleId: string, { kind, name }: Lasting['entity']): string => JSON.stringify([ruleId, kind, name])
