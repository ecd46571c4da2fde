import type { UseQueryResult } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { ApiKeys } from '../../../contract/api-keys.ts'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { KeyList } from './KeyList.tsx'
import { ListPending } from './ListPending.tsx'
import { NewKeyDialog } from './NewKeyDialog.tsx'

/** The person's keys. Those of a plan that has no API any more can still be seen and revoked. */
export function KeysCard({ keys }: { keys: UseQueryResult<ApiKeys> }) {
  const [making, setMaking] = useState(false)
  const { data, error, refetch } = keys
  if (data?.locked && data.keys.length === 0) return null
  return (
    <SectionCard
      title="API keys"
      description="A key gives an app access to your account. Give each app its own, so you can revoke one without affecting the others."
      badge={
        data?.locked === null && (
          <Button variant="primary" aria-haspopup="dialog" onClick={() => setMaking(true)}>
            <Plus aria-hidden />
            New key
          </Button>
        )
      }
    >
      {data === undefined ? (
        <ListPending what="your keys" error={error} onRetry={() => void refetch()} />
      ) : data.keys.length === 0 ? (
        <EmptyState icon={<KeyRound aria-hidden />} title="No keys yet">
          Create one to use the API or connect an AI assistant.
        </EmptyState>
      ) : (
        <KeyList keys={data.keys} />
      )}
      {making && data && <NewKeyDialog writeLocked={data.writeLocked} onClose={() => setMaking(false)} />}
    </SectionCard>
  )
}
