import { useEffect } from 'react'
import type { ConsentPurpose } from '../../contract/sites.ts'
import { useAddress } from '../lib/hooks/use-address.ts'
import { askForProof } from '../lib/proof.ts'
import { toast } from '../ui/overlay/toast.ts'
import { connectGoogle, type Redirect } from './connect-google.ts'

/** Of a session that got another token during the trip, or another account's. */
export const loginChanged = "Your session changed while you were on Google's page. Please try again."

/**
 * On returning from Google: reports the result (`connected=true|false|renewed`, `sign-in=true|false|renewed|taken|too-many`) and removes it
 * from the URL. People sent back to prove their identity (`=prove`) are asked to, and then continue.
 */
export function useConnectionResult(): void {
  const [params, change] = useAddress()
  const connected = params.get('connected')
  const signIn = params.get('sign-in')
  useEffect(() => {
    if (connected === null && signIn === null) return
    if (connected === 'prove') void proveAndGo('data')
    else if (connected === 'true') toast.success('Connected Successfully', 'Google Search Console is connected.')
    else if (connected === 'renewed') toast.error('Connection Failed', loginChanged)
    else if (connected !== null)
      toast.error('Connection Failed', 'There was an issue connecting to Google Search Console. Please try again.')
    if (signIn === 'prove') void proveAndGo('sign-in')
    else if (signIn === 'true') toast.success('Google Login Added', 'You can now log in with this Google account.')
    else if (signIn === 'too-many')
      toast.error('Google Login Not Added', "You've added Google logins 10 times today. Try again tomorrow (UTC).")
    else if (signIn === 'renewed') toast.error('Google Login Not Added', loginChanged)
    else if (signIn === 'taken') toast.error('Google Login Not Added', 'This Google account is already used to log in to another account.')
    else if (signIn !== null) toast.error('Google Login Not Added', 'There was an issue with Google. Please try again.')
    change(
      (before) => {
        before.delete('connected')
        before.delete('sign-in')
        return before
      },
      { replace: true, keepsPlace: false, sync: false },
    )
  }, [connected, signIn, change])
}

async function proveAndGo(purpose: ConsentPurpose): Promise<void> {
  // The screen that was left for Google is the one returned to.
  if (await askForProof()) connectGoogle(window.location.pathname as Redirect, purpose)
}
