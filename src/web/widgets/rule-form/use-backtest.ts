import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { newCondition, type BacktestAnswer } from '../../../contract/alerts/conditions.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { searchTypeProblem } from '../../../core/alerting/options.ts'
import { backtestQuery } from '../../api/alert-conditions.ts'
import { failureText } from '../../api/client.ts'
import { type RuleName, triedRule, watchesNothing } from './copy.ts'
import type { RuleValues } from './rule-values.ts'

export type Look =
  | { state: 'unasked'; why: string }
  | { state: 'loading' }
  | { state: 'failed'; message: string; retry: () => void }
  /** `outdated`: for the earlier fields; the current ones are being requested. */
  | { state: 'there'; answer: BacktestAnswer; outdated: boolean }

type Asked = { /** Somebody has scrolled near it. */ wanted: boolean; /** It has been edited. */ isTyped: boolean }

/** What a rule with these fields would have done, refetched as they change. */
export function useBacktest(property: string, rule: RuleName, values: RuleValues, { wanted, isTyped }: Asked): Look {
  const tried = triedRule(rule, values)
  const isRight = newCondition.safeParse(tried).success && searchTypeProblem({ ...rule, ...values }, values.searchType) === null
  const nothing = watchesNothing(values.monitor, tried.targets ?? [])
  const { data, error, isFetching, refetch } = useQuery({
    ...backtestQuery(property, tried, isTyped),
    enabled: wanted && isRight && nothing === null,
    // The previous result stays, dimmed, until the new one arrives.
    placeholderData: keepPreviousData,
  })
  if (!isRight) return { state: 'unasked', why: 'Fix the fields above to see a backtest.' }
  if (nothing !== null) return { state: 'unasked', why: `Add ${values.monitor} to see a backtest.` }
  if (error !== null && !isFetching) {
    return {
      state: 'failed',
      message: `The backtest for ${propertyName(property)} could not be loaded. ${failureText(error)}`,
      retry: () => void refetch(),
    }
  }
  return data === undefined ? { state: 'loading' } : { state: 'there', answer: data, outdated: isFetching }
}
