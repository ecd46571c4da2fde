import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IsoDate } from '../../contract/common.ts'
import { type EntityFigures } from '../../core/alerting/evaluate.ts'
import { restsOnFirstSeen } from '../../core/alerting/readiness.ts'
import { noSums } from '../../core/alerting/figures.ts'
import { topCount, type Window } from '../../core/alerting/rule.ts'
import type { Series } from '../../core/alerting/series.ts'
import { entitiesToJudge, newContentSince } from '../../core/alerting/watched.ts'
import { weeksBefore, yearBefore } from '../../core/alerting/windows.ts'
import { entityFigures, type EntityFiguresRow, type NamedEntity, type Pick } from '../facts/questions/entity-figures.ts'
import type { FactsStore } from '../facts/store.ts'
import { ClickHouseUnavailable } from '../platform/clickhouse/clickhouse-errors.ts'
import type { Task } from './tasks.ts'
import { newcomers } from '../facts/questions/newcomers.ts'

/** The data of each task, or the reason it couldn't be read. */
export type Answers = ReadonlyMap<Task, EntityFigures[] | { error: unknown }>

/** Reads the data of many rules of many properties; rules that need the same days in the same way share one question. */
export async function askFigures(facts: FactsStore, tasks: readonly Task[]): Promise<Answers> {
  const answers = new Map<Task, EntityFigures[] | { error: unknown }>()
  for (const group of Map.groupBy(tasks, questionOf).values()) await askGroup(facts, group, answers)
  return answers
}

/**
 * A question that fails is asked again for each half, so that one bad rule stops no other.
 * @throws ClickHouseUnavailable, which is no fault of any rule: everything is evaluated again when the store is back
 */
async function askGroup(
  facts: FactsStore,
  group: readonly Task[],
  answers: Map<Task, EntityFigures[] | { error: unknown }>,
): Promise<void> {
  try {
    for (const [task, entities] of await ask(facts, group)) answers.set(task, entities)
  } catch (error) {
    if (error instanceof ClickHouseUnavailable) throw error
    const [task] = group
    if (group.length === 1 && task) return void answers.set(task, { error })
    const half = group.length >> 1
    await askGroup(facts, group.slice(0, half), answers)
    await askGroup(facts, group.slice(half), answers)
  }
}

/** Tasks with the same key differ only in their property and the names they are about. */
function questionOf({ rule, grain, windows }: Task): string {
  const { kind, monitor, threshold, minimumImpressions } = rule
  const chosen = kind === 'lost_query' && monitor === 'site' ? [threshold, minimumImpressions] : []
  const fresh = restsOnFirstSeen(rule) ? [kind, monitor, minimumImpressions] : []
  const isNamed = monitor === 'pages' || monitor === 'queries'
  return JSON.stringify([grain, windows, isNamed ? 'names' : monitor, chosen, fresh])
}

async function ask(facts: FactsStore, group: readonly Task[]): Promise<[Task, EntityFigures[]][]> {
  const [first] = group
  if (!first) return []
  const { windows, grain, rule } = first
  const properties = [...new Set(group.map(({ property }) => property.id))]
  const named: NamedEntity[] = group.flatMap(({ property, rule: each, watched }) =>
    [...(each.monitor === 'pages' || each.monitor === 'queries' ? each.targets : []), ...watched].map((name) => ({
      property: property.id,
      name,
    })),
  )
  const firstSeen = await askFirstSeen(facts, first, properties, named)
  const fresh = [...firstSeen].flatMap(([property, names]) => [...names.keys()].map((name) => ({ property, name })))
  const pick = pickOf(first)
  const span: Window[] = [windows.current, windows.base, ...weeksBefore(windows.current), ...yearBefore(windows.current)]
  const nothing = grain !== 'total' && pick.by === 'names' && named.length + fresh.length === 0
  const rows = nothing ? [] : await facts.ask(entityFigures, { grain, properties, windows: span, pick, named: [...named, ...fresh] })
  const byProperty = Map.groupBy(rows, (row) => row.property)
  const answers: [Task, EntityFigures[]][] = []
  for (const task of group) {
    // Let others have a turn: a question may be about thousands of names.
    await nextTurn()
    const own = byProperty.get(task.property.id) ?? []
    const nameOf = (row: EntityFiguresRow) => (grain === 'total' ? task.property.name : row.name)
    const series = own.map((row) => seriesOf(row, nameOf(row), span, firstSeen.get(row.property)?.get(row.name) ?? null))
    // Days without any row are zero; the site isn't absent.
    if (rule.monitor === 'site' && grain === 'total' && series.length === 0) {
      series.push({ name: task.property.name, firstSeen: null, sums: () => noSums })
    }
    answers.push([task, entitiesToJudge({ ...task, series })])
  }
  return answers
}

/** @param named entities that are evaluated in any case */
async function askFirstSeen(
  facts: FactsStore,
  task: Task,
  properties: readonly number[],
  named: readonly NamedEntity[],
): Promise<Map<number, Map<string, IsoDate>>> {
  const { rule, grain, windows } = task
  if (!restsOnFirstSeen(rule) || grain === 'total') return new Map()
  const { start, end } = windows.current
  // For a change, everything since then counts: a page without impressions now had some before.
  const since = rule.kind === 'change' ? newContentSince(windows) : start
  const impressions = Math.max(1, rule.minimumImpressions)
  const rows = await facts.ask(newcomers, { grain, properties, since, through: end, impressions, named })
  const found = new Map<number, Map<string, IsoDate>>()
  for (const { property, name, firstSeen } of rows)
    found.set(property, (found.get(property) ?? new Map<string, IsoDate>()).set(name, firstSeen))
  return found
}

function pickOf({ rule, windows }: Task): Pick {
  const { monitor, kind, threshold, minimumImpressions } = rule
  if (kind === 'lost_query' && monitor === 'site') {
    return { by: 'ranked', span: windows.base, position: threshold, impressions: Math.max(1, minimumImpressions) / windows.scale }
  }
  return monitor === 'top_pages' || monitor === 'top_queries'
    ? { by: 'top', span: windows.base, count: topCount[monitor] }
    : { by: 'names' }
}

function seriesOf(row: EntityFiguresRow, name: string, spans: readonly Window[], firstSeen: IsoDate | null): Series {
  return {
    name,
    firstSeen,
    sums(window) {
      const at = spans.findIndex(({ start, end }) => start === window.start && end === window.end)
      return {
        clicks: row.clicks[at] ?? 0,
        impressions: row.impressions[at] ?? 0,
        positionSum: row.positionSum[at] ?? 0,
        rankedImpressions: row.rankedImpressions[at] ?? 0,
      }
    },
  }
}
