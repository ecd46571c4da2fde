import { useMutation, useQueryClient } from '@tanstack/react-query'
import { startTransition } from 'react'
import { useNavigate } from 'react-router'
import { forgetUser, logout } from '../api/session.ts'
import { paths } from '../paths.ts'
import { toast } from '../ui/overlay/toast.ts'
import { usePurchaseFlow } from './purchase/purchase-flow-context.ts'

export function useLogout() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { dispatch } = usePurchaseFlow()
  return useMutation({
    mutationFn: logout,
    onSuccess: async () => {
      // Navigate first: the guard would remember this screen as the one to return to.
      await navigate(paths.login)
      forgetUser(client)
      // The next person to log in here starts fresh. Not before the navigation has rendered: the payment's guard would lead to the plans.
      startTransition(() => dispatch({ type: 'reset' }))
    },
    onError: () => toast.error('Logout Failed', 'There was an error logging out.'),
  })
}
