import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { PlanId } from '../../../contract/user.ts'
import { paths } from '../../paths.ts'
import type { Checkout } from './checkout.ts'

/** Who pays for one plan already does not buy another beside it, but is asked in the settings whether to change. */
export function useChangeInstead(plan: PlanId, checkout: Checkout | undefined): void {
  const navigate = useNavigate()
  const isChange = checkout?.kind === 'change'
  useEffect(() => {
    if (isChange) void navigate({ pathname: paths.settings, search: `?change=${plan}` }, { replace: true })
  }, [isChange, plan, navigate])
}
