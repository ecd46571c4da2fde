import { lazy, Suspense, useSyncExternalStore } from 'react'
import { proofStore } from '../lib/proof.ts'

const ProofDialog = lazy(async () => ({ default: (await import('./ProofDialog.tsx')).ProofDialog }))

/** The dialog that asks for a proof; its code is fetched when first needed. */
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
