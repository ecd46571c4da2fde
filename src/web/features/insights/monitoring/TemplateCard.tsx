import { Check } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import type { AlertCondition } from '../../../../contract/alert-conditions.ts'
import type { AlertTemplate } from '../../../../contract/alert-templates.ts'
import { metricLabels } from '../../../lib/metric.ts'
import { SeverityBadge } from '../../../ui/alert/AlertBadges.tsx'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ruleAddress } from './rule-address.ts'

const levels: Record<AlertTemplate['level'], string> = { site: 'Whole site', page: 'Page', query: 'Query' }

type TemplateCardProps = {
  template: AlertTemplate
  /** The rule that does this already. */
  rule: AlertCondition | undefined
  isBusy: boolean
  isBeingSetUp: boolean
  onSetUp: () => void
}

export function TemplateCard({ template, rule, isBusy, isBeingSetUp, onSetUp }: TemplateCardProps) {
  const id = useId()
  const { name, description, priority, level, type } = template
  return (
    <li aria-labelledby={id}>
      <Card className="flex h-full flex-col">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3 id={id} className="text-base font-semibold">
            {name}
          </h3>
          <SeverityBadge severity={priority === 'critical' || priority === 'warning' ? priority : 'info'} />
        </div>
        <p className="mt-2 flex-1 text-muted">{description}</p>
        <dl className="mt-4 flex flex-wrap gap-x-5 gap-y-1 text-sm">
          <Fact name="Level" value={levels[level]} />
          <Fact name="Type" value={metricLabels[type]} />
        </dl>
        <div className="mt-4 flex min-h-10 flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-4">
          {rule === undefined ? (
            <Button aria-describedby={id} disabled={isBusy} onClick={onSetUp}>
              {isBeingSetUp ? 'Setting up...' : 'Setup Alert'}
            </Button>
          ) : (
            <>
              <Link to={ruleAddress(rule.id)} aria-describedby={id} className={buttonClass()}>
                Open rule
              </Link>
              <span className="inline-flex items-center gap-1.5 text-sm text-muted">
                <Check aria-hidden className="size-4" />
                {rule.isEnabled ? 'Already set up' : 'Already set up, turned off'}
              </span>
            </>
          )}
        </div>
      </Card>
    </li>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="font-medium">{value}</dd>
    </div>
  )
}
