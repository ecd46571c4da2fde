import { lazy, Suspense, useSyncExternalStore } from 'react'
import { proofStore } from '../lib/proof.ts'

const ProofDialog = lazy(async () => ({ default: (await import('./ProofDialog.tsx')).ProofDialog }))

/** The dialog for proving identity; its code loads when first needed. */
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
