import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IsoDate } from '../../contract/common.ts'
import type { Verdict } from '../../core/alerting/lifecycle.ts'
import { evaluateRules, type RuleVerdicts } from '../../core/alerting/run.ts'
import { restsOnFirstSeen } from '../../core/alerting/readiness.ts'
import { noSums } from '../../core/alerting/figures.ts'
import { topCount, type Window } from '../../core/alerting/rule.ts'
import type { Series } from '../../core/alerting/series.ts'
import { entitiesToEvaluate, newContentSince } from '../../core/alerting/entities-to-evaluate.ts'
import { weeksBefore, yearBefore } from '../../core/alerting/windows.ts'
import { entityFigures, type EntityFiguresRow, type NamedEntity, type Pick } from '../facts/questions/entity-figures.ts'
import type { FactsStore } from '../facts/store.ts'
import { TooMuchAtOnce } from '../platform/clickhouse/clickhouse-errors.ts'
import { askInHalves, type QuestionTime } from './question-time.ts'
import type { Task } from './tasks.ts'
import { newcomers } from '../facts/questions/newcomers.ts'

/** Maximum number of characters in the names of what an evaluation finds, over all of its properties. Each verdict counts as some extra characters. */
const mostLetters = 8 * 1024 ** 2
const lettersOfVerdict = 128

/** Counts what an evaluation keeps in memory. */
export type Room = {
  /** @throws TooMuchAtOnce if these no longer fit; then they don't count */
  take(verdicts: readonly Verdict[]): void
  /** Whether something didn't fit. */
  readonly wasTooSmall: boolean
}

export function createRoom(): Room {
  let letters = 0
  let wasTooSmall = false
  return {
    take(verdicts) {
      const added = verdicts.reduce((sum, { entity }) => sum + entity.name.length + lettersOfVerdict, 0)
      if (letters + added > mostLetters) {
        wasTooSmall = true
        throw new TooMuchAtOnce()
      }
      letters += added
    },
    get wasTooSmall() {
      return wasTooSmall
    },
  }
}

/** What an evaluation may keep in memory, and how long it may ask. */
export type Limits = { room: Room; time: QuestionTime }

/** What the rule of each task says, or the reason it couldn't be evaluated. */
export type Answers = ReadonlyMap<Task, RuleVerdicts | { error: unknown }>

/**
 * Evaluates many rules of many properties; those that need the same days in the same way share one question. Its answer isn't kept, only
 * what matters: findings, and results for open alerts.
 * @throws errors that aren't any rule's fault: everything is evaluated again when the store is back
 */
export async function evaluateTasks(facts: FactsStore, tasks: readonly Task[], { room, time }: Limits): Promise<Answers> {
  const answers: Answer[] = []
  for (const group of Map.groupBy(tasks, questionOf).values()) {
    answers.push(
      ...(await askInHalves(
        group,
        time,
        (some) => evaluateGroup(facts, some, room),
        (task, error): Answer => [task, { error }],
      )),
    )
  }
  return new Map(answers)
}

type Answer = readonly [Task, RuleVerdicts | { error: unknown }]

/** What rules for drops and rises found, some of which may just be the return from an earlier finding. */
export const turnsOf = ([{ rule }, answer]: Answer): { ruleId: string; name: string }[] =>
  rule.direction === 'both' && 'verdicts' in answer
    ? answer.verdicts.flatMap(({ finding, ruleId, entity }) => (finding ? [{ ruleId, name: entity.name }] : []))
    : []

/** What each rule says about the answer to one question. */
async function evaluateGroup(facts: FactsStore, group: readonly [Task, ...Task[]], room: Room): Promise<Answer[]> {
  const { span, byProperty, firstSeen } = await ask(facts, group[0], group)
  const answers: Answer[] = []
  for (const task of group) {
    // Let others have a turn: a question may be about thousands of names.
    await nextTurn()
    try {
      const { id } = task.property
      const series = (byProperty.get(id) ?? []).map((row) =>
        seriesOf(row, task.grain === 'total' ? wholeName(task) : row.name, span, firstSeen.get(id)?.get(row.name) ?? null),
      )
      answers.push([task, verdictsOf(task, series, room)])
    } catch (error) {
      answers.push([task, { error }])
    }
  }
  return answers
}

/** An alert about a segment keeps the name it was opened with, even if the segment has been renamed since. */
const wholeName = ({ property, scope, withOpenAlerts }: Task): string =>
  scope?.segment ? (withOpenAlerts[0] ?? scope.segment.name) : property.name

/** @throws TooMuchAtOnce */
function verdictsOf(task: Task, series: readonly Series[], room: Room): RuleVerdicts {
  const { rule, windows } = task
  // Days without any row are zero; the site isn't absent.
  const isEmptySite = rule.monitor === 'site' && task.grain === 'total' && series.length === 0
  const known = isEmptySite ? [{ name: wholeName(task), firstSeen: null, sums: () => noSums }] : series
  const entities = entitiesToEvaluate({ ...task, series: known })
  const [run] = evaluateRules([{ rule, windows, entities }], task.completeDays)
  if (!run || 'waiting' in run) return { ruleId: rule.id, waiting: true }
  const withOpenAlerts = new Set(task.withOpenAlerts)
  const verdicts = run.verdicts.filter(({ finding, entity }) => finding !== null || withOpenAlerts.has(entity.name))
  room.take(verdicts)
  return { ruleId: rule.id, verdicts }
}

/** Tasks with the same key differ only in their property and the names they are about. */
function questionOf({ rule, scope, grain, windows }: Task): string {
  const { kind, monitor, threshold, minimumImpressions } = rule
  const chosen = kind === 'lost_query' && monitor === 'site' ? [threshold, minimumImpressions] : []
  const fresh = restsOnFirstSeen(rule) ? [kind, monitor, minimumImpressions] : []
  const isNamed = monitor === 'pages' || monitor === 'queries'
  return JSON.stringify([grain, windows, isNamed ? 'names' : monitor, chosen, fresh, scope?.within])
}

type Asked = {
  span: readonly Window[]
  byProperty: ReadonlyMap<number, readonly EntityFiguresRow[]>
  firstSeen: ReadonlyMap<number, ReadonlyMap<string, IsoDate>>
}

async function ask(facts: FactsStore, first: Task, group: readonly Task[]): Promise<Asked> {
  const { windows, grain } = first
  const within = first.scope?.within
  const properties = [...new Set(group.map(({ property }) => property.id))]
  const named: NamedEntity[] = group.flatMap(({ property, rule: each, withOpenAlerts }) =>
    [...(each.monitor === 'pages' || each.monitor === 'queries' ? each.targets : []), ...withOpenAlerts].map((name) => ({
      property: property.id,
      name,
    })),
  )
  const firstSeen = await askFirstSeen(facts, first, properties, named)
  const fresh = [...firstSeen].flatMap(([property, names]) => [...names.keys()].map((name) => ({ property, name })))
  const pick = pickOf(first)
  const span: Window[] = [windows.current, windows.base, ...weeksBefore(windows.current), ...yearBefore(windows.current)]
  const nothing = grain !== 'total' && pick.by === 'names' && named.length + fresh.length === 0
  const rows = nothing
    ? []
    : await facts.ask(entityFigures, { grain, properties, windows: span, pick, named: [...named, ...fresh], within })
  return { span, byProperty: Map.groupBy(rows, ({ property }) => property), firstSeen }
}

/** @param named entities that are evaluated in any case */
async function askFirstSeen(
  facts: FactsStore,
  task: Task,
  properties: readonly number[],
  named: readonly NamedEntity[],
): Promise<Map<number, Map<string, IsoDate>>> {
  const { rule, scope, grain, windows } = task
  if (!restsOnFirstSeen(rule) || grain === 'total') return new Map()
  const { start, end } = windows.current
  // For a change, everything since then counts: a page without impressions now had some before.
  const since = rule.kind === 'change' ? newContentSince(windows) : start
  const impressions = Math.max(1, rule.minimumImpressions)
  const rows = await facts.ask(newcomers, { grain, properties, since, through: end, impressions, named, within: scope?.within })
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
