import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import type { Webhook } from './use-webhook.ts'

export function NewSecret({ webhook, inactive }: { webhook: Webhook; inactive: boolean }) {
  const [asking, setAsking] = useState(false)

  async function renew(): Promise<void> {
    await webhook.renew()
    setAsking(false)
  }

  return (
    <>
      <Button disabled={inactive} onClick={() => setAsking(true)}>
        New secret
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Make a new secret?"
        description="The present secret ends at once: until your server has the new one, it cannot tell that messages are ours."
        confirm="Make a new secret"
        pending={webhook.isRenewing}
        onConfirm={() => void renew()}
      />
    </>
  )
}
