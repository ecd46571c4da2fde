import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import { failureText } from '../../api/client.ts'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { checkoutQuery } from './checkout.ts'
import { useChangeInstead } from './use-change-instead.ts'

export function FreeActivation() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { tell } = usePurchaseFlow()
  const checkout = useQuery(checkoutQuery(client, 'free'))
  useChangeInstead('free', checkout.data)

  useEffect(() => {
    if (checkout.data?.kind !== 'in-force') return
    tell({ type: 'paymentSucceeded' })
    toast.success('Plan Selected', 'Your free plan has been activated.')
    void navigate(paths.selectSites, { replace: true })
  }, [checkout.data, tell, navigate])

  useEffect(() => {
    if (!checkout.isError) return
    tell({ type: 'paymentFailed' })
    toast.error('Error', 'Failed to activate free plan. Please try again.')
  }, [checkout.isError, tell])

  return (
    <Card>
      {checkout.isError && !checkout.isFetching ? (
        <ErrorState
          title="Couldn't activate the free plan"
          actions={
            <>
              <Button variant="primary" onClick={() => void checkout.refetch()}>
                Try again
              </Button>
              <Link to={paths.choosePlan} className={buttonClass()}>
                Back to plans
              </Link>
            </>
          }
        >
          {failureText(checkout.error)}
        </ErrorState>
      ) : (
        <Spinner label="Activating your free plan..." />
      )}
    </Card>
  )
}
