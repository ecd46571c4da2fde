import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { resetWelcome } from '../lib/welcome.ts'
import { paths } from '../paths.ts'

/** Shows the welcome dialog from its beginning, on the dashboard where it belongs. */
export function useWelcomeAgain(): () => void {
  const navigate = useNavigate()
  return useCallback(() => {
    resetWelcome()
    void navigate(paths.dashboard)
  }, [navigate])
}
