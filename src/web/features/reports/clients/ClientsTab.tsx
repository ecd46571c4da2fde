import { useQuery } from '@tanstack/react-query'
import { Building2, Plus } from 'lucide-react'
import { useState } from 'react'
import type { ReportClient } from '../../../../contract/publishing.ts'
import { reportClientsQuery } from '../../../api/publishing.ts'
import { useCurrentUser } from '../../../shell/current-user.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ListLoading } from '../ListLoading.tsx'
import { LoadFailure } from '../LoadFailure.tsx'
import { lockedWords } from '../locked-words.ts'
import { LockedFeature } from '../../../widgets/LockedFeature.tsx'
import { ClientCard } from './ClientCard.tsx'
import { ClientDialog } from './ClientDialog.tsx'

/** The clients of an agency, each with properties of their own. */
export function ClientsTab() {
  const { plan } = useCurrentUser()
  const { data, error, refetch } = useQuery(reportClientsQuery(plan))
  const [open, setOpen] = useState(false)
  // Stays what the dialog is about while it closes.
  const [edited, setEdited] = useState<ReportClient | null>(null)

  function edit(client: ReportClient | null): void {
    setEdited(client)
    setOpen(true)
  }

  if (error !== null) return <LoadFailure what="your clients" error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <ListLoading what="your clients" />
  const { locked, clients } = data
  const add = (
    <Button variant="primary" className="self-start" onClick={() => edit(null)}>
      <Plus aria-hidden />
      New client
    </Button>
  )
  return (
    <div className="flex flex-col gap-4">
      {locked !== null && <LockedFeature Icon={Building2} reason={locked} {...lockedWords.clients} />}
      {locked === null && clients.length > 0 && add}
      {locked === null && clients.length === 0 && (
        <Card>
          <EmptyState icon={<Building2 aria-hidden />} title="No clients yet" actions={add}>
            A client is a group of properties that you report on together, under your brand.
          </EmptyState>
        </Card>
      )}
      {clients.length > 0 && (
        <ul aria-label="Clients" className="grid gap-4 lg:grid-cols-2">
          {clients.map((client) => (
            <li key={client.id} className="min-w-0">
              <ClientCard client={client} locked={locked !== null} onEdit={() => edit(client)} />
            </li>
          ))}
        </ul>
      )}
      <ClientDialog open={open} onOpenChange={setOpen} client={edited} />
    </div>
  )
}
