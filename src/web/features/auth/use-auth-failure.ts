import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { toast } from '../../ui/toast.ts'

/** Says that signing in with Google failed (`error=auth_failed`) and clears the address of it. */
export function useAuthFailure(): void {
  const [params, setParams] = useSearchParams()
  const failed = params.get('error') === 'auth_failed'
  useEffect(() => {
    if (!failed) return
    toast.error('Authentication Failed', 'There was an issue connecting with Google. Please try again.')
    setParams(
      (before) => {
        before.delete('error')
        return before
      },
      { replace: true },
    )
  }, [failed, setParams])
}
