import { Trash2 } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog.tsx'
import type { useRemove } from './use-remove.ts'

type DeleteButtonProps = Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'description' | 'confirm'> & {
  id: string
  removing: ReturnType<typeof useRemove>
}

/** Deletes something of one's own, once one has said so twice. */
export function DeleteButton({ id, removing, ...question }: DeleteButtonProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
        Delete
      </Button>
      <ConfirmDialog
        {...question}
        open={asking}
        onOpenChange={setAsking}
        pending={removing.isPending}
        onConfirm={() => removing.mutate(id, { onSettled: () => setAsking(false) })}
      />
    </>
  )
}
