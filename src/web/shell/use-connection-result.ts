import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { toast } from '../ui/toast.ts'

/** Coming back from Google: says how it went (`connected=true|false`) and clears the address of it. */
export function useConnectionResult(): void {
  const [params, setParams] = useSearchParams()
  const connected = params.get('connected')
  useEffect(() => {
    if (connected === null) return
    if (connected === 'true') toast.success('Connected Successfully', 'Google Search Console is connected.')
    else toast.error('Connection Failed', 'There was an issue connecting to Google Search Console. Please try again.')
    setParams(
      (before) => {
        before.delete('connected')
        return before
      },
      { replace: true },
    )
  }, [connected, setParams])
}
