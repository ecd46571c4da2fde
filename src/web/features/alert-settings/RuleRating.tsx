import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import { fewestRated } from '../../../core/alerting/unusual/proposal.ts'
import { changeCondition, proposalQuery, showCondition } from '../../api/alert-conditions.ts'
import { failureText } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { proposalWords, ratedSentence } from './copy.ts'

/** How users rated a rule's alerts, and the setting those ratings suggest. */
export function RuleRating({ property, rule }: { property: string; rule: AlertCondition }) {
  const client = useQueryClient()
  const { rated } = rule
  const { data: proposal = null } = useQuery({ ...proposalQuery(rule), enabled: rated !== undefined && rated.of >= fewestRated })
  const apply = useMutation({
    mutationFn: (change: NonNullable<typeof proposal>['change']) => changeCondition(rule.id, change),
    onSuccess: (saved) => {
      showCondition(client, property, saved)
      toast.success('Settings Saved', rule.title)
    },
    onError: (error) => toast.error('Rule Not Changed', failureText(error, 'The rule could not be changed. Please try again.')),
  })
  if (rated === undefined) return null
  const words = proposal && proposalWords(proposal, rule)
  return (
    <div className="mt-4 text-sm">
      <p className="font-medium">{ratedSentence(rated)}</p>
      {proposal && words && (
        <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-brand-soft px-3 py-2.5">
          <div className="min-w-0 flex-1 basis-56">
            <p className="font-medium">{words.what}</p>
            <p className="text-muted">{words.why}</p>
          </div>
          <Button aria-label={`Apply: ${words.what}`} disabled={apply.isPending} onClick={() => apply.mutate(proposal.change)}>
            {apply.isPending ? 'Applying...' : 'Apply'}
          </Button>
        </div>
      )}
    </div>
  )
}
