import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { readStored, writeStored } from '../../lib/storage.ts'
import { Banner } from '../../ui/Banner.tsx'
import { useCurrentUser } from '../current-user.ts'

const key = 'ranklark-demo-banner-dismissed'

/** Says that the figures are not the person's own, and how to get those. */
export function DemoBanner() {
  const { demo } = useCurrentUser()
  const [dismissed, setDismissed] = useState(() => readStored(() => sessionStorage, key) !== null)
  if (!demo || dismissed) return null

  function dismiss() {
    writeStored(() => sessionStorage, key, 'yes')
    setDismissed(true)
  }

  return (
    <Banner tone="brand" label="Demo" icon={<FlaskConical aria-hidden />} dismiss={{ label: 'Dismiss demo notice', onDismiss: dismiss }}>
      <p>
        <strong className="font-semibold">This is a demo with sample sites.</strong> To connect your own Search Console, start with{' '}
        <code>GOOGLE_CLIENT_ID</code> and <code>GOOGLE_CLIENT_SECRET</code> set. See the README.
      </p>
    </Banner>
  )
}
