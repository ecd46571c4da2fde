import type { BacktestAnswer, NewCondition, RuleProposal } from '../../../contract/alerts/conditions.ts'
import type { Condition } from '../../../core/alerting/defaults.ts'
import { ruleOf } from '../../../core/alerting/options.ts'
import type { ReportProperty } from '../../accounts/service.ts'
import { Refusal } from '../../common/errors.ts'
import type { HolidayCountries } from '../../common/holiday-countries.ts'
import type { Db } from '../../database/open.ts'
import type { FactsStore } from '../../facts/store.ts'
import { TookTooLong, TooMuchAtOnce } from '../../platform/clickhouse/clickhouse-errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { createFairShare } from '../../platform/fair-share.ts'
import { abandonedNow } from '../../platform/tenant.ts'
import { runBacktest } from '../backtest.ts'
import type { Verdicts } from '../incidents/verdicts.ts'
import type { Baselines } from '../unusual/baselines.ts'
import { daysAgo, proposeFor, ratedDays } from '../unusual/proposals.ts'
import { completeThroughOf } from './complete-through.ts'
import type { ConditionsStore } from './conditions-store.ts'
import { completed, isSound, soundCondition } from './conditions.ts'
import type { RuleScopes } from './scopes.ts'

export type BacktestsDeps = {
  db: Db
  facts: FactsStore
  clock: Clock
  countries: HolidayCountries
  baselines: Baselines
  scopes: RuleScopes
  verdicts: Verdicts
  conditions: ConditionsStore
}

/** Each contains the days of up to a thousand pages or queries. */
const backtestsAtATime = { places: 2, perTenant: 1, waitingPerTenant: 10, isScarce: true }
const tooMuchToTry =
  'The names of the pages or keywords this rule covers are too long in total. Raise its minimum impressions, or monitor fewer pages or keywords.'
const tooSlowToTry = 'Reading the data for this rule takes too long. Monitor specific pages or keywords instead.'
const segmentTooSlow = "This segment's filters take too long to run. Choose a segment with simpler filters."

/** Backtests rules, a few at a time. */
export function createBacktests({ db, facts, clock, countries, baselines, scopes, verdicts, conditions }: BacktestsDeps) {
  const backtests = createFairShare(backtestsAtATime)

  /** The days on which a rule is tried. */
  const triedOn = async (property: ReportProperty, { searchType }: Condition) => ({
    ...property,
    completeThrough: await completeThroughOf(db, property, searchType),
  })

  return {
    /** @throws Refusal 400, with the field if there is one, TooManyRequests */
    async backtest(userId: string, property: ReportProperty, given: NewCondition): Promise<BacktestAnswer> {
      const condition = completed(given)
      const scope = await scopes.of(property, condition)
      const tried = await triedOn(property, condition)
      const rule = ruleOf('unsaved', condition)
      return backtests
        .run(userId, () => runBacktest({ facts, countries, baselines }, tried, rule, scope?.within), { signal: abandonedNow() })
        .catch((error: unknown) => {
          if (error instanceof TooMuchAtOnce) throw new Refusal(400, tooMuchToTry)
          if (error instanceof TookTooLong)
            throw scope?.segment ? new Refusal(400, segmentTooSlow, 'segment') : new Refusal(400, tooSlowToTry)
          throw error
        })
    },

    /** Another setting that a rule's rated alerts suggest; none for a rule that can't be evaluated. @throws Refusal 404, TooManyRequests */
    async proposal(userId: string, property: ReportProperty, id: string): Promise<RuleProposal> {
      const row = await conditions.load(userId, id)
      if (!row) throw new Refusal(404, "This rule doesn't exist or isn't yours.")
      if (!isSound(row)) return null
      const condition = soundCondition(row)
      const scope = await scopes.of(property, condition).catch((error: unknown) => {
        if (error instanceof Refusal) return 'unanswered' as const
        throw error
      })
      if (scope === 'unanswered') return null
      const of = { rule: ruleOf(id, condition), within: scope?.within }
      const tried = await triedOn(property, condition)
      const rated = await verdicts.ofRule(row.id, daysAgo(ratedDays, clock.now()))
      return backtests
        .run(userId, () => proposeFor({ facts, countries, baselines }, tried, of, rated), { signal: abandonedNow() })
        .catch((error: unknown) => (error instanceof TooMuchAtOnce || error instanceof TookTooLong ? null : Promise.reject(error)))
    },
  }
}
