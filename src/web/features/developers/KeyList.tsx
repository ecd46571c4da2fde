import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiKey } from '../../../contract/api-keys.ts'
import { reloadApiKeys, revokeApiKey } from '../../api/api-keys.ts'
import { failureText } from '../../api/client.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { isExpired, keyWords } from './key-words.ts'

export function KeyList({ keys }: { keys: readonly ApiKey[] }) {
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
