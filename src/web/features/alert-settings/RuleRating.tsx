import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AlertCondition, RuleProposal } from '../../../contract/alerts/conditions.ts'
import { sensitivityOptions } from '../../../core/alerting/options.ts'
import { fewestRated } from '../../../core/alerting/unusual/proposal.ts'
import { changeCondition, proposalQuery, showCondition } from '../../api/alert-conditions.ts'
import { failureText } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { counted } from '../../widgets/rule-form/copy.ts'

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

type Rule = Pick<AlertCondition, 'monitor' | 'thresholdUnit'>

/** "12 of 14 rated alerts were useful" */
const ratedSentence = ({ useful, of }: NonNullable<AlertCondition['rated']>): string =>
  of === 1 ? `${useful} of 1 rated alert was useful` : `${useful} of ${of} rated alerts ${useful === 1 ? 'was' : 'were'} useful`

/** The proposed setting, and its backtest. */
function proposalWords(proposal: NonNullable<RuleProposal>, rule: Rule): { what: string; why: string } {
  const { useful, noise, alerts } = proposal
  const dropped = noise.of - noise.kept
  const allOf = useful.of === 2 ? 'both useful alerts' : `all ${useful.of} useful alerts`
  const kept = useful.of === 0 ? [] : [`kept ${useful.of === 1 ? 'the useful alert' : allOf}`]
  const left = dropped === 0 ? [] : [`dropped ${noise.of === 1 ? 'the alert' : `${dropped} of ${noise.of} alerts`} rated as noise`]
  const span = alerts.days >= 365 ? 'the last 12 months' : `the last ${counted(alerts.days, 'day')}`
  return {
    what: whatOf(proposal, rule),
    why: `It would have ${[...kept, ...left].join(' and ')}: ${counted(alerts.proposed, 'alert')} in ${span} instead of ${alerts.now}.`,
  }
}

function whatOf(
  { change: { sensitivity, onlyUnusual, threshold } }: NonNullable<RuleProposal>,
  { monitor, thresholdUnit: unit }: Rule,
): string {
  if (sensitivity !== undefined)
    return `Set sensitivity to “${sensitivityOptions(monitor).find(({ value }) => value === sensitivity)?.label}”`
  if (onlyUnusual === true) return 'Turn on “Only when unusual”'
  return `Raise the threshold to ${unit === '%' ? `${threshold}%` : counted(threshold ?? 0, 'position')}`
}
