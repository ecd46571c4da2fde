import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { newCondition, type BacktestAnswer } from '../../../contract/alerts/conditions.ts'
import { backtestQuery } from '../../api/alert-conditions.ts'
import { failureText } from '../../api/client.ts'
import { type RuleName, triedRule } from './backtest-words.ts'
import type { RuleValues } from './rule-values.ts'
import { watchesNothing } from './rule-words.ts'

export type Look =
  | { state: 'unasked'; why: string }
  | { state: 'loading' }
  | { state: 'failed'; message: string; retry: () => void }
  /** `outdated`: of the fields as they were; those as they are now are asked about. */
  | { state: 'there'; answer: BacktestAnswer; outdated: boolean }

type Asked = { /** Somebody has come near to it. */ wanted: boolean; /** It is no longer what it was at first. */ isTyped: boolean }

/** What a rule with these fields would have done, asked anew as they change. */
export function useBacktest(property: string, rule: RuleName, values: RuleValues, { wanted, isTyped }: Asked): Look {
  const tried = triedRule(rule, values)
  const isRight = newCondition.safeParse(tried).success
  const nothing = watchesNothing(values.monitor, tried.targets ?? [])
  const { data, error, isFetching, refetch } = useQuery({
    ...backtestQuery(property, tried, isTyped),
    enabled: wanted && isRight && nothing === null,
    // What was found before stays, dimmed, until the new is there.
    placeholderData: keepPreviousData,
  })
  if (!isRight) return { state: 'unasked', why: 'Fix the fields above to see a backtest.' }
  if (nothing !== null) return { state: 'unasked', why: `Add ${values.monitor} to see a backtest.` }
  if (error !== null && !isFetching) {
    return {
      state: 'failed',
      message: `The backtest for ${property} could not be loaded. ${failureText(error)}`,
      retry: () => void refetch(),
    }
  }
  return data === undefined ? { state: 'loading' } : { state: 'there', answer: data, outdated: isFetching }
}
