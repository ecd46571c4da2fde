import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'

export function DeleteAccount() {
  const [asking, setAsking] = useState(false)
  return (
    <section aria-labelledby="delete-account">
      <h3 id="delete-account" className="font-semibold">
        Delete account
      </h3>
      <p className="mt-1 max-w-[70ch] text-muted">Permanently deletes your account and all its data.</p>
      <Button className="mt-4" onClick={() => setAsking(true)}>
        Delete account
      </Button>
      {asking && <DeleteAccountDialog onClose={() => setAsking(false)} />}
    </section>
  )
}
