import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keepPlan, showSubscription } from '../../api/billing.ts'
import { failureText } from '../../api/client.ts'
import { planNames } from '../../lib/plans.ts'
import { toast } from '../../ui/overlay/toast.ts'

export function useKeepPlan() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: keepPlan,
    onSuccess: (state) => {
      showSubscription(client, state)
      toast.success('Plan Kept', `Your ${planNames[state.subscription.plan]} plan continues.`)
    },
    onError: (error) => toast.error('Error', failureText(error, "Couldn't keep your plan. Please try again.")),
  })
}
