import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { leftOutText } from '../../../core/alerting/bounds.ts'
import { conditionsQuery } from '../../api/alert-conditions.ts'
import { evaluateAlerts, reloadAlerts } from '../../api/alerts.ts'
import { failureText } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { useTestEmail } from '../../widgets/delivery/use-test-email.ts'

/** Evaluates the rules now instead of when the next complete day arrives, and tests whether alerts arrive by email. */
export function ManualEvaluation({ property }: { property: string | null }) {
  const id = useId()
  const client = useQueryClient()
  const testEmail = useTestEmail()
  const evaluation = useMutation({
    mutationFn: evaluateAlerts,
    onSuccess: async ({ count, leftOut }) => {
      const generated = `Generated ${count} new alerts based on your current metrics`
      toast.success('Alert evaluation complete', leftOut > 0 ? `${generated}. ${leftOutText(leftOut)}` : generated)
      await reloadAlerts(client)
    },
    onError: (error) => toast.error('Alert evaluation failed', failureText(error, 'Failed to evaluate alert conditions')),
    // A rule that couldn't be evaluated says so.
    onSettled: (_count, _error, judged) => client.invalidateQueries(conditionsQuery(judged)),
  })
  return (
    <section aria-labelledby={id}>
      <Card className="flex flex-wrap items-center gap-x-5 gap-y-4">
        <div className="min-w-0 flex-1 basis-56">
          <h2 id={id} className="text-base font-semibold">
            Manual Alert Evaluation
          </h2>
          <p className="mt-0.5 text-muted">
            {property === null
              ? 'Select a property to evaluate its rules. Test Email works without one.'
              : 'Rules are checked when a new complete day of data comes in. You can also check them now.'}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button disabled={testEmail.isPending} onClick={() => testEmail.mutate()}>
            {testEmail.isPending ? 'Sending...' : 'Test Email'}
          </Button>
          <Button disabled={evaluation.isPending || property === null} onClick={() => property !== null && evaluation.mutate(property)}>
            {evaluation.isPending ? 'Evaluating...' : 'Evaluate Alerts'}
          </Button>
        </div>
      </Card>
    </section>
  )
}
