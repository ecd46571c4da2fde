import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { withDefaults } from '../../../core/alerting/defaults.ts'
import { isHourly } from '../../../core/alerting/hours/hourly.ts'
import { ruleOf } from '../../../core/alerting/options.ts'
import { conditionsQuery } from '../../api/alert-conditions.ts'
import { paths } from '../../paths.ts'

/** Shown if no rule can be evaluated by the hour: the default ones watch pages and keywords. */
export function NoHourlyRule({ property }: { property: string }) {
  const { data } = useQuery(conditionsQuery(property))
  if (data === undefined || data.some((condition) => condition.isEnabled && isHourly(ruleOf(condition.id, withDefaults(condition)))))
    return null
  return (
    <p className="mt-4 text-sm text-muted">
      No rule monitors site-wide clicks or impressions, so hourly data doesn’t trigger alerts.{' '}
      <Link to={`${paths.insights}?tab=monitoring`} className="control inline-flex items-center font-medium text-brand hover:underline">
        Set one up
      </Link>
    </p>
  )
}
