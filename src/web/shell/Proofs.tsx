import { lazy, Suspense, useSyncExternalStore } from 'react'
import { proofStore } from '../lib/proof.ts'

const ProofDialog = lazy(async () => ({ default: (await import('./ProofDialog.tsx')).ProofDialog }))

/** The dialog that asks for a proof, fetched when it is needed first. */
export function Proofs() {
  const isAsked = useSyncExternalStore(proofStore.subscribe, proofStore.isAsked)
  return (
    isAsked && (
      <Suspense>
        <ProofDialog />
      </Suspense>
    )
  )
}
