import { useEffect } from 'react'
import { useOneTimeParam } from '../../lib/hooks/use-one-time-param.ts'
import { proofChannel } from '../../lib/proof.ts'
import { CardPage } from '../../shell/CardPage.tsx'
import { loginChanged } from '../../shell/use-connection-result.ts'
import { StepHeading } from '../../ui/StepHeading.tsx'

/** Where Google returns the window opened by ProofDialog.tsx: reports the result to the waiting one, and closes. */
export function ProvenPage() {
  const outcome = useOneTimeParam('proven')
  const isProven = outcome === 'true'
  useEffect(() => {
    const channel = proofChannel()
    channel.postMessage(isProven)
    channel.close()
    if (isProven) window.close()
  }, [isProven])
  return (
    <CardPage title="Confirm it's you">
      <StepHeading title={isProven ? 'Confirmed' : 'Not confirmed'}>
        {isProven
          ? 'Thank you. You can close this window and continue where you left off.'
          : outcome === 'renewed'
            ? `${loginChanged} You can close this window.`
            : 'Close this window and try again with the Google account you log in with.'}
      </StepHeading>
    </CardPage>
  )
}
