import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../../ui/overlay/ConfirmDialog.tsx'
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
        title="Create a new secret?"
        description="The current secret stops working immediately. Until your server has the new one, it can't verify our messages."
        confirm="Create new secret"
        pending={webhook.isRenewing}
        onConfirm={() => void renew()}
      />
    </>
  )
}
