import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { forgetUser, logout } from '../api/session.ts'
import { paths } from '../paths.ts'
import { toast } from '../ui/toast.ts'

export function useLogout() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: logout,
    onSuccess: async () => {
      // Away from here first: the guard would take this screen for one to come back to.
      await navigate(paths.login)
      forgetUser(client)
    },
    onError: () => toast.error('Logout Failed', 'There was an error logging out.'),
  })
}
