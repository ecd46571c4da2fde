import { useMutation, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ApiKey, ApiKeys } from '../../../contract/api-keys.ts'
import { reloadApiKeys, revokeApiKey } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { isExpired, keyWords } from './copy.ts'
import { ListPending } from './ListPending.tsx'
import { NewKeyForm } from './NewKeyForm.tsx'

/** The person's keys. Even if the plan no longer includes the API, they can be seen and revoked. */
export function KeysCard({ keys }: { keys: UseQueryResult<ApiKeys> }) {
  const [making, setMaking] = useState(false)
  const { data, error, refetch } = keys
  if (data?.locked && data.keys.length === 0) return null
  return (
    <SectionCard
      title="API keys"
      description="A key gives an app access to your account. Give each app its own, so you can revoke one without affecting the others."
      badge={
        !data?.locked && (
          <Button variant="primary" aria-haspopup="dialog" disabled={data === undefined} onClick={() => setMaking(true)}>
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

function KeyList({ keys }: { keys: readonly ApiKey[] }) {
  const client = useQueryClient()
  const now = useNow()
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const revoke = useMutation({
    mutationFn: revokeApiKey,
    onSuccess: async () => {
      await reloadApiKeys(client)
      toast.success('Key Revoked', 'The key no longer works.')
    },
    onError: (error) => toast.error('Key Not Revoked', failureText(error, "Couldn't revoke the key. Please try again.")),
    onSettled: () => setRevoking(null),
  })
  return (
    <>
      <ul aria-label="API keys" className="-my-4 divide-y divide-line">
        {keys.map((key) => (
          <li key={key.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
            <div className="min-w-0 flex-1 basis-64">
              <div className="flex flex-wrap items-center gap-2">
                <span className="font-medium wrap-anywhere">{key.name}</span>
                <Badge tone={key.scope === 'write' ? 'brand' : 'unknown'}>{key.scope === 'write' ? 'Read and write' : 'Read only'}</Badge>
                {isExpired(key, now) && <Badge tone="critical">Expired</Badge>}
              </div>
              <p className="mt-1 text-sm text-muted">
                <code className="text-text">{key.start}…</code> · {keyWords(key, now).join(' · ')}
              </p>
            </div>
            <Button aria-haspopup="dialog" aria-label={`Revoke ${key.name}`} onClick={() => setRevoking(key)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={revoking !== null}
        onOpenChange={(open) => {
          if (!open) setRevoking(null)
        }}
        title="Revoke this key?"
        description={<span className="wrap-anywhere">Apps that use {revoking?.name} lose access immediately. This can't be undone.</span>}
        confirm="Revoke key"
        pending={revoke.isPending}
        onConfirm={() => {
          if (revoking) revoke.mutate(revoking.id)
        }}
      />
    </>
  )
}

/** Creates a key and shows it, only this once: it is gone when the dialog closes. */
function NewKeyDialog({ writeLocked, onClose }: { writeLocked: string | null; onClose: () => void }) {
  const [key, setKey] = useState<string | null>(null)
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={key === null ? 'New key' : 'Your new key'}
      description={key === null ? "You'll see the key only once, right after you create it." : "Copy it now. You won't see it again."}
    >
      {key === null ? <NewKeyForm writeLocked={writeLocked} onMade={setKey} /> : <KeyOnce apiKey={key} onDone={onClose} />}
    </Dialog>
  )
}

function KeyOnce({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
  const shown = useRef<HTMLInputElement>(null)
  // Ready for manual copying if the browser blocks ours.
  useEffect(() => shown.current?.select(), [])
  return (
    <div className="flex flex-col gap-5">
      <input
        ref={shown}
        readOnly
        aria-label="API key"
        value={apiKey}
        onFocus={(event) => event.currentTarget.select()}
        className="control w-full min-w-0 rounded-control border border-line-control bg-sunken px-3 font-mono text-sm"
      />
      <p className="text-muted">Treat it like a password: anyone who has it can use it. If it leaks, revoke it here.</p>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton text={apiKey} label="Copy key" />
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}
