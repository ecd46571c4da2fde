import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useId } from 'react'
import { Link, useNavigate } from 'react-router'
import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import type { AlertTemplate } from '../../../contract/alerts/templates.ts'
import { conditionsQuery } from '../../api/alert-conditions.ts'
import { templatesQuery } from '../../api/alert-conditions.ts'
import { failureText } from '../../api/client.ts'
import { metricLabels } from '../../lib/metric.ts'
import { paths } from '../../paths.ts'
import { SeverityBadge } from '../../ui/alert/AlertBadges.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { useCreateRule } from '../../widgets/rule-form/use-create-rule.ts'
import { setUpRule } from './set-up-rule.ts'

const gridClass = 'grid gap-4 sm:grid-cols-2 xl:grid-cols-3 xl:gap-5'

/** Predefined rules for the property (SPEC §2, OPEN-POINTS 11). */
export function MonitoringTab({ property }: { property: string }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-base font-semibold">
        Recommended Alert Templates
      </h2>
      <p className="mt-1 mb-4 max-w-[70ch] text-muted">
        Set one up to monitor this property, starting with the next complete day of data. You can edit it later.
      </p>
      <Templates property={property} />
    </section>
  )
}

function Templates({ property }: { property: string }) {
  const templates = useQuery(templatesQuery)
  const rules = useQuery(conditionsQuery(property))
  const navigate = useNavigate()
  const create = useCreateRule(property, (rule) => void navigate(ruleAddress(rule.id)))
  const error = templates.error ?? rules.error
  if (error !== null) {
    const retry = () => {
      for (const query of [templates, rules]) if (query.error !== null) void query.refetch()
    }
    return (
      <Card>
        <LoadProblem what="alert templates" property={property} error={error} onRetry={retry} />
      </Card>
    )
  }
  if (templates.data === undefined || rules.data === undefined) return <Loading />

  const { data: known } = rules
  function setUp({ name, condition }: AlertTemplate) {
    create.mutate(condition, {
      onError: (problem) =>
        toast.error('Rule Not Created', `${name}: ${failureText(problem, 'The rule could not be created. Please try again.')}`),
    })
  }
  return (
    <ul className={gridClass}>
      {templates.data.map((template) => (
        <TemplateCard
          key={template.id}
          template={template}
          rule={setUpRule(known, template)}
          isBusy={create.isPending}
          isBeingSetUp={create.isPending && create.variables === template.condition}
          onSetUp={() => setUp(template)}
        />
      ))}
    </ul>
  )
}

function Loading() {
  return (
    <div aria-busy className={gridClass}>
      <output className="sr-only">Loading alert templates</output>
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} className="h-56 rounded-card!" />
      ))}
    </div>
  )
}

const levels: Record<AlertTemplate['level'], string> = { site: 'Whole site', page: 'Page', query: 'Keyword' }

type TemplateCardProps = {
  template: AlertTemplate
  /** An existing rule that does this. */
  rule: AlertCondition | undefined
  isBusy: boolean
  isBeingSetUp: boolean
  onSetUp: () => void
}

function TemplateCard({ template, rule, isBusy, isBeingSetUp, onSetUp }: TemplateCardProps) {
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

/** The URL for editing a rule. */
const ruleAddress = (id: string): string => `${paths.alertSettings}?${new URLSearchParams({ rule: id })}`
