import { describe, expect, test } from 'vitest'
import type { IsoDate } from '../../contract/common.ts'
import { addDays } from '../../core/analytics/days.ts'
import { ruleOf } from '../../core/alerting/options.ts'
import type { Condition } from '../../core/alerting/defaults.ts'
import type { Finding } from '../../core/alerting/evaluate.ts'
import type { Comparison, Entity } from '../../core/alerting/rule.ts'
import { windowsOf } from '../../core/alerting/windows.ts'
import { createLog } from '../platform/log.ts'
import type { ConditionRow } from './rules/conditions-store.ts'
import { outcomeOf } from './outcome.ts'
import type { OpenRow, PassedOfType } from './open-rows.ts'
import type { Evaluated, Task } from './tasks.ts'

// What follows for a property from what its rules find and what is open, without a store.

const now = new Date('2026-06-21T20:00:00Z')
const today = '2026-06-20'
const property: Evaluated = {
  id: 1,
  userId: 'u',
  name: 'https://lamps.example/',
  through: today,
  factsVersion: 1,
  rulesChanged: 0,
  isFetched: true,
  isGrowing: false,
  backfilledFrom: '2024-01-01',
  others: new Map(),
}
const wide: Entity = { kind: 'site', name: property.name }
const page: Entity = { kind: 'page', name: '/lamp' }

const condition = (monitor: Condition['monitor'], comparison: Comparison | null, kind: Condition['kind'] = 'change'): Condition => ({
  type: 'clicks',
  kind,
  title: 'Rule',
  isEnabled: true,
  direction: 'falls',
  onlyUnusual: false,
  monitor,
  searchType: 'web',
  targets: [],
  segment: null,
  threshold: 15,
  thresholdUnit: '%',
  comparison,
  minimumImpressions: null,
  sensitivity: null,
})
const rules = {
  lastYear: ['1', condition('site', 'same_period_last_year')],
  smart: ['2', condition('site', null, 'unusual')],
  pages: ['3', condition('top_pages', 'previous_7_days')],
  monthly: ['4', condition('top_pages', 'previous_30_days')],
} as const
type Name = keyof typeof rules

const figures = (change: number, comparison: Comparison, through: IsoDate = today) => ({
  previous: 1_000,
  current: 1_000 + 10 * change,
  change,
  windows: windowsOf(comparison, through),
})

function finding(of: Name, change: number, entity: Entity = of === 'pages' || of === 'monthly' ? page : wide): Finding {
  const [ruleId, { comparison }] = rules[of]
  const severity = change < -30 ? 'critical' : 'warning'
  return {
    ruleId,
    entity,
    metric: 'clicks',
    severity,
    ...figures(change, comparison ?? 'previous_7_days'),
    ...(of === 'smart' && { months: 9 }),
  }
}

/** An alert about the whole site that has been open since that day, last evaluated the day before. */
function open(of: Name, change: number, since: IsoDate, more: Partial<OpenRow> = {}): OpenRow {
  const [ruleId, { comparison }] = rules[of]
  const compared = comparison ?? 'previous_7_days'
  return {
    id: 70 + Number(ruleId),
    propertyId: 1,
    conditionId: Number(ruleId),
    entityKind: of === 'pages' ? 'page' : 'site',
    entityName: of === 'pages' ? page.name : wide.name,
    type: 'clicks',
    searchType: 'web',
    state: 'firing',
    basis: 'days',
    partOf: null,
    severity: change < -30 ? 'critical' : 'warning',
    hours: null,
    segment: null,
    alsoBy: [],
    covered: [],
    ownEnd: null,
    opening: figures(change, compared, since),
    figures: figures(change, compared, addDays(today, -1)),
    judgedAt: now,
    judgedThrough: addDays(today, -1),
    ...more,
  }
}

/** What rules about the whole site say about a drop while their alert about a rise is open. */
const isTurn = (of: Name, { change }: Finding, alerts: readonly OpenRow[]): boolean =>
  of === 'smart' && (change ?? 0) < 0 && alerts.some((row) => row.conditionId === 2 && (row.figures?.change ?? 0) > 0)

/** What is opened, goes on and ends, given what each rule finds, null if it decides nothing; a rule that isn't named is off. */
function outcome(
  found: Partial<Record<Name, readonly Finding[] | null>>,
  alerts: readonly OpenRow[],
  passed: readonly PassedOfType[] = [],
  changed?: Name,
) {
  const used = (Object.keys(found) as Name[]).map((name) => ({ name, id: rules[name][0], condition: rules[name][1] }))
  const runOf = (name: Name) => {
    const [ruleId] = rules[name]
    if (found[name] === null) return { ruleId, verdicts: [] }
    const none = alerts.flatMap((row) =>
      String(row.conditionId) === ruleId ? [{ kind: row.entityKind as Entity['kind'], name: row.entityName }] : [],
    )
    const findings = found[name] ?? []
    const missing = none.filter((entity) => !findings.some((each) => each.entity.name === entity.name))
    return {
      ruleId,
      verdicts: [
        ...findings.map((each) => ({
          ruleId,
          entity: each.entity,
          finding: each,
          current: each.current,
          turns: isTurn(name, each, alerts),
        })),
        ...missing.map((entity) => ({ ruleId, entity, finding: null, current: 1_000 })),
      ],
    }
  }
  const byDays = used.filter(({ name }) => name === 'smart')
  const tasks = used.flatMap(({ name, id, condition: of }) =>
    name === 'smart' ? [] : [{ name, task: { property, rule: ruleOf(id, of) } as Task }],
  )
  const { opened, same, ended, onlyParts, detached } = outcomeOf(
    {
      property,
      sound: used.map(({ name, id, condition: of }) => ({
        row: {
          id: Number(id),
          changedAt: new Date(name === changed ? '2026-06-21T21:00:00Z' : '2026-01-01'),
          problem: null,
          leftOut: 0,
        } as ConditionRow,
        condition: of,
        scope: null,
        rule: ruleOf(id, of),
        property,
      })),
      broken: [],
      open: Map.groupBy(alerts, ({ conditionId }) => conditionId),
      passed,
      returned: [],
      tasks: tasks.map(({ task }) => task),
      answers: new Map(tasks.map(({ name, task }) => [task, runOf(name)])),
      unusual: byDays.map(({ name }) => ({ propertyId: 1, ...runOf(name) })),
    },
    now,
    createLog('silent'),
  )
  return {
    opened: opened.map((each) => [each.finding.entity.kind, each.finding.change]),
    same: same.map((each) => [each.alertId, each.finding.change]),
    largest: same.map((each) => each.finding.largest),
    covered: [...opened, ...same].map((each) => each.covered),
    ended: ended.map(({ alertId, reason }) => [alertId, reason]),
    onlyParts,
    detached,
  }
}

test('for a site that has been below last year for months, everything that happens this week is reported', () => {
  const year = open('lastYear', -20, '2026-02-07')
  const lastYear = [finding('lastYear', -21)]
  expect(outcome({ lastYear, smart: [finding('smart', -85)] }, [year])).toMatchObject({ opened: [['site', -85]], same: [[71, -21]] })
  expect(outcome({ lastYear, pages: [finding('pages', -95)] }, [year])).toMatchObject({ opened: [['page', -95]] })
  // When it ends, the page that falls on that day isn't its aftermath.
  const ends = { ...year, opening: { ...figures(-60, 'same_period_last_year', '2026-02-07') } }
  expect(outcome({ lastYear: [], pages: [finding('pages', -50)] }, [ends])).toMatchObject({
    opened: [['page', -50]],
    ended: [[71, 'back']],
  })
})

test('a page that dies while the site is slightly down is reported, however long the site has been down', () => {
  const dies = [finding('pages', -95)]
  const smart = [finding('smart', -16)]
  const since = (days: number, more: Partial<OpenRow> = {}) => open('smart', -16, addDays(today, -days), more)
  // All pages fall together on the first evening.
  expect(outcome({ smart, pages: dies }, [])).toMatchObject({ opened: [['site', -16]] })
  for (const days of [1, 13, 19]) expect(outcome({ smart, pages: dies }, [since(days)])).toMatchObject({ opened: [['page', -95]] })
  // For two weeks, a page that loses about as much as the site is part of the site's alert.
  const falls = [finding('pages', -25)]
  expect(outcome({ smart, pages: falls }, [since(13)])).toMatchObject({ opened: [] })
  expect(outcome({ smart, pages: falls }, [since(19)])).toMatchObject({ opened: [['page', -25]] })
  // But what the alert has covered so far isn't new on the fifteenth day, unless it has become much worse.
  const covered = (change: number) => ({
    covered: [{ entity: { kind: 'page' as const, name: page.name }, change, through: addDays(today, -1) }],
  })
  expect(outcome({ smart, pages: falls }, [since(19, covered(-24))])).toMatchObject({ opened: [] })
  expect(outcome({ smart, pages: [finding('pages', -62)] }, [since(2, covered(-60))])).toMatchObject({ opened: [] })
  expect(outcome({ smart, pages: dies }, [since(19, covered(-24))])).toMatchObject({ opened: [['page', -95]] })
})

test('a second outage is reported, though a page of the first one is still gone', () => {
  const lead = open('smart', -97, '2026-06-04', { judgedThrough: '2026-06-06' })
  const part = open('pages', -96, '2026-06-05', { partOf: lead.id })
  const pages = [finding('pages', -98)]
  // The site is back, and the alert stays for its page: its own change is noted as over, once.
  const lasts = outcome({ smart: [], pages }, [lead, part])
  expect(lasts).toMatchObject({ opened: [], ended: [], onlyParts: [{ alertId: lead.id, reason: 'back' }] })
  const over = { ...lead, ownEnd: 'back' as const }
  expect(outcome({ smart: [], pages }, [over, part])).toMatchObject({ opened: [], ended: [], onlyParts: [], detached: [] })
  // Once the page is back as well, even on the same evening, the alert ends as its own change did.
  const samePart = { ...part, judgedThrough: today }
  expect(outcome({ smart: [], pages: [] }, [{ ...over, judgedThrough: today }, samePart])).toMatchObject({
    ended: [
      [part.id, 'revised'],
      [lead.id, 'back'],
    ],
  })
  // The site is down again: a new alert, which the page joins.
  expect(outcome({ smart: [finding('smart', -94)], pages }, [over, part])).toMatchObject({
    opened: [['site', -94]],
    ended: [[lead.id, 'back']],
    detached: [part.id],
  })
})

describe('when the site is back after an outage', () => {
  /** Dead for four days: opened when one of three days was, and last found two days after the return. */
  const outage = (largest: number) =>
    open('smart', -32, '2026-06-14', { figures: { ...figures(-58, 'previous_7_days', '2026-06-19'), largest } })

  test('the alert remembers how bad it was at its worst', () => {
    const before = { ...outage(-97), figures: figures(-97, 'previous_7_days', '2026-06-18') }
    expect(outcome({ smart: [finding('smart', -58)] }, [before])).toMatchObject({ same: [[72, -58]], largest: [-97] })
    expect(outcome({ smart: [finding('smart', -45)] }, [outage(-97)])).toMatchObject({ same: [[72, -45]], largest: [-97] })
    expect(outcome({ smart: [finding('smart', -98)] }, [outage(-97)])).toMatchObject({ largest: [-98] })
  })

  test('no page is reported for the days that it was dead with the site', () => {
    const pages = [-67, -64, -45].map((change, i) => finding('pages', change, { kind: 'page', name: `/${i}` }))
    expect(outcome({ smart: [], pages }, [outage(-97)])).toMatchObject({ opened: [], ended: [[72, 'back']] })
  })

  test('a page that stays gone is', () => {
    expect(outcome({ smart: [], pages: [finding('pages', -99)] }, [outage(-97)])).toMatchObject({ opened: [['page', -99]] })
    const days = { start: '2026-06-12', since: '2026-06-14', end: '2026-06-17' }
    const passed: PassedOfType = { metric: 'clicks', searchType: 'web', change: -97, isBack: true, covered: new Set(), ...days }
    // Three days later, four of its seven days are as bad as the site's were.
    expect(outcome({ smart: [], pages: [finding('pages', -94)] }, [], [passed])).toMatchObject({ opened: [['page', -94]] })
    expect(outcome({ smart: [], pages: [finding('pages', -60)] }, [], [passed])).toMatchObject({ opened: [] })
  })
})

describe('what an alert about the whole site covers', () => {
  const about = (change: number, through: IsoDate = addDays(today, -1)) => ({
    entity: { kind: 'page' as const, name: page.name },
    change,
    through,
  })
  const smart = [finding('smart', -16)]
  const alert = (days: number, covered: OpenRow['covered']) => open('smart', -16, addDays(today, -days), { covered })

  test('is what was found with it, with the change that it was first found with', () => {
    expect(outcome({ smart, pages: [finding('pages', -20)] }, [])).toMatchObject({ covered: [[about(-20, today)]] })
    const later = outcome({ smart, pages: [finding('pages', -24)] }, [alert(20, [about(-20)])])
    expect(later).toMatchObject({ opened: [], covered: [[about(-20, today)]] })
  })

  test("stays so though it isn't found on some evenings, for two weeks", () => {
    const [lately, long] = [addDays(today, -3), addDays(today, -15)]
    expect(outcome({ smart, pages: [] }, [alert(20, [about(-20, lately)])])).toMatchObject({ covered: [[about(-20, lately)]] })
    expect(outcome({ smart, pages: [] }, [alert(20, [about(-20, long)])])).toMatchObject({ covered: [[]] })
    const pages = [finding('pages', -24)]
    expect(outcome({ smart, pages }, [alert(20, [about(-20, lately)])])).toMatchObject({ opened: [] })
  })

  test('is still explained by it on an evening that decides nothing about it', () => {
    const lasting = open('smart', -50, addDays(today, -17), { covered: [about(-50)] })
    expect(outcome({ smart: null, monthly: [finding('monthly', -40)] }, [lasting])).toMatchObject({ opened: [], ended: [] })
    // What lost more than the site isn't.
    expect(outcome({ smart: null, monthly: [finding('monthly', -80)] }, [lasting])).toMatchObject({ opened: [['page', -80]] })
  })

  test('is not a page that slides on and on, a little each day', () => {
    let covered: OpenRow['covered'] = [about(-20)]
    const openings = [-24, -28, -32, -36, -40].map((change) => {
      const { opened, covered: next } = outcome({ smart, pages: [finding('pages', change)] }, [alert(20, covered)])
      covered = next.at(-1) ?? []
      return opened.length
    })
    expect(openings).toEqual([0, 0, 0, 1, 1])
  })
})

test('when a site settles at a new level, its pages are not reported for as long as they are compared with days before it', () => {
  const of = { metric: 'clicks', searchType: 'web', change: -60, isBack: false } as const
  const step = (days: number) => ({ start: addDays(today, -days - 2), since: addDays(today, -days), end: addDays(today, -8) })
  const passed: PassedOfType = { ...of, ...step(25), covered: new Set([`page ${page.name}`]) }
  const openedFor = (name: Name, change: number, more: Partial<PassedOfType> = {}) =>
    outcome({ smart: [], [name]: [finding(name, change)] }, [], [{ ...passed, ...more }]).opened.length
  expect(openedFor('monthly', -50)).toBe(0)
  // What lost more than the site, what it didn't cover, and what falls after it was back.
  expect(openedFor('monthly', -80)).toBe(1)
  expect(openedFor('monthly', -50, { covered: new Set() })).toBe(1)
  expect(openedFor('monthly', -50, { isBack: true })).toBe(1)
  // All of its days, and those that it is compared with, are after the step.
  expect(openedFor('pages', -50)).toBe(1)
  expect(openedFor('monthly', -50, step(35))).toBe(0)
  expect(openedFor('monthly', -50, step(36))).toBe(1)
})

describe('an alert that lasts because another rule finds it', () => {
  /** Opened by the rule of 7 days at −40%; by now, only that of 30 days finds it. */
  const alert = (judgedThrough: IsoDate, more: Partial<OpenRow> = {}) => {
    const last = { ...figures(-32, 'previous_30_days', judgedThrough), current: 1_000 }
    return open('pages', -40, addDays(today, -6), { alsoBy: [4], figures: last, judgedThrough, ...more })
  }
  const still = [finding('monthly', -32)]

  test('stays open as long as that one finds it', () => {
    const found = outcome({ pages: [], monthly: still }, [alert(addDays(today, -1))])
    expect(found).toMatchObject({ opened: [], ended: [], same: [[73, -32]] })
  })

  test('ends without blaming Google when that one is changed, turned off or deleted', () => {
    expect(outcome({ pages: [] }, [alert(today, { alsoBy: [] })])).toMatchObject({ ended: [[73, 'rule_changed']] })
    const edited = alert(today, { figures: figures(-32, 'previous_30_days') })
    expect(outcome({ pages: [], monthly: [] }, [edited], [], 'monthly')).toMatchObject({ ended: [[73, 'rule_changed']] })
  })

  test("waits up to three days for that one if it can't be evaluated, and isn't reported a second time", () => {
    const waits = (days: number) => outcome({ pages: [] }, [alert(addDays(today, -days))])
    for (const days of [0, 1, 3]) expect(waits(days)).toMatchObject({ ended: [], opened: [] })
    expect(waits(4).ended.length).toBe(1)
    const again = outcome({ pages: [], monthly: still }, [alert(addDays(today, -1))])
    expect(again).toMatchObject({ opened: [], same: [[73, -32]] })
  })

  test('ends as revised if Google did revise the days', () => {
    const revised = alert(today, { figures: figures(-32, 'previous_30_days') })
    expect(outcome({ pages: [], monthly: [] }, [revised])).toMatchObject({ ended: [[73, 'revised']] })
  })
})

test('a drop of the whole site while a rise is open ends it and is reported at once, with the pages that fall with it', () => {
  const rise = open('smart', 50, addDays(today, -20))
  const { opened, same, ended } = outcome({ smart: [finding('smart', -40)], pages: [finding('pages', -45)] }, [rise])
  expect([opened, same, ended]).toEqual([[['site', -40]], [], [[72, 'back']]])
})
