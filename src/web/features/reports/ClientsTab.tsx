import { useQuery } from '@tanstack/react-query'
import { Building2, Pencil, Plus, Share2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { ReportClient } from '../../../contract/reports/reports.ts'
import { reportClientsQuery } from '../../api/reports.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LockedFeature } from '../../widgets/LockedFeature.tsx'
import { ClientDialog } from './ClientDialog.tsx'
import { lockedWords } from './copy.ts'
import { DeleteButton, useRemove } from './DeleteButton.tsx'
import { ListFailure, ListLoading } from './ListStates.tsx'
import { PdfMenu, usePdf } from './PdfMenu.tsx'
import { RunProgress } from './RunProgress.tsx'
import { ShareDialog } from './ShareDialog.tsx'
import { PropertyName } from '../../widgets/PropertyName.tsx'

/** An agency's clients, each with their own properties. */
export function ClientsTab() {
  const { plan } = useCurrentUser()
  const { data, error, refetch } = useQuery(reportClientsQuery(plan))
  const [open, setOpen] = useState(false)
  // Keeps the dialog's subject while it closes.
  const [edited, setEdited] = useState<ReportClient | null>(null)

  function edit(client: ReportClient | null): void {
    setEdited(client)
    setOpen(true)
  }

  if (error !== null) return <ListFailure what="your clients" error={error} onRetry={() => void refetch()} />
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

type ClientCardProps = { client: ReportClient; locked: boolean; onEdit: () => void }

/** A client, their properties, and their latest report to download or share. */
function ClientCard({ client, locked, onEdit }: ClientCardProps) {
  const id = useId()
  const [sharing, setSharing] = useState(false)
  const pdf = usePdf()
  const { name, properties } = client
  return (
    <article aria-labelledby={id} className="h-full">
      <Card className="flex h-full flex-col gap-4">
        <div className="min-w-0 grow">
          <h2 id={id} className="text-base font-semibold wrap-anywhere">
            {name}
          </h2>
          <p className="mt-1 text-muted">{properties.length === 1 ? '1 property' : `${properties.length} properties`}</p>
          <ul aria-label={`Properties in ${name}`} className="mt-2 flex flex-col gap-1">
            {properties.map((property) => (
              <li key={property} className="wrap-anywhere">
                <PropertyName name={property} />
              </li>
            ))}
          </ul>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {pdf.isMaking ? (
            <RunProgress run={pdf.run} />
          ) : (
            !locked && (
              <PdfMenu
                label={`Download PDF for ${name}`}
                onChoose={(paper) => pdf.make({ subject: { client: client.id }, kind: 'month', paper })}
              />
            )
          )}
          <Button disabled={locked} onClick={() => setSharing(true)}>
            <Share2 aria-hidden />
            Share link
          </Button>
          <Button disabled={locked} onClick={onEdit}>
            <Pencil aria-hidden />
            Edit
          </Button>
          <Delete client={client} />
        </div>
      </Card>
      <ShareDialog open={sharing} onOpenChange={setSharing} title={name} subject={{ client: client.id }} />
    </article>
  )
}

function Delete({ client: { id, name } }: { client: ReportClient }) {
  return (
    <DeleteButton
      id={id}
      removing={useRemove('clients', { done: 'Client Deleted', failed: 'Client Not Deleted' })}
      title={`Delete ${name}?`}
      description="This also deletes the client's schedules and links. Properties and their data are kept."
      confirm="Delete client"
    />
  )
}
