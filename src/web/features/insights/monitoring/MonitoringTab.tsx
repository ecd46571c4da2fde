import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useNavigate } from 'react-router'
import type { AlertTemplate } from '../../../../contract/alert-templates.ts'
import { conditionsQuery } from '../../../api/alert-conditions.ts'
import { templatesQuery } from '../../../api/alert-templates.ts'
import { failureText } from '../../../api/client.ts'
import { Card } from '../../../ui/Card.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/overlay/toast.ts'
import { LoadProblem } from '../../../widgets/LoadProblem.tsx'
import { useCreateRule } from '../../../widgets/rule-form/use-create-rule.ts'
import { ruleAddress } from './rule-address.ts'
import { setUpRule } from './set-up-rule.ts'
import { TemplateCard } from './TemplateCard.tsx'

const gridClass = 'grid gap-4 sm:grid-cols-2 xl:grid-cols-3 xl:gap-5'

/** Rules ready to be set up for the property (SPEC §2, OPEN-POINTS 11). */
export function MonitoringTab({ property }: { property: string }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-base font-semibold">
        Recommended Alert Templates
      </h2>
      <p className="mt-1 mb-4 max-w-[70ch] text-muted">
        Set one up to watch this property from the next complete day. You can edit it later.
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
