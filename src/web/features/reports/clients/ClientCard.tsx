import { Pencil, Share2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { ReportClient } from '../../../../contract/publishing.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { PdfMenu } from '../PdfMenu.tsx'
import { RunProgress } from '../RunProgress.tsx'
import { ShareDialog } from '../ShareDialog.tsx'
import { usePdf } from '../use-pdf.ts'
import { DeleteButton } from '../DeleteButton.tsx'
import { useRemove } from '../use-remove.ts'

type ClientCardProps = { client: ReportClient; locked: boolean; onEdit: () => void }

/** A client, their properties, and their latest report to take along or to share. */
export function ClientCard({ client, locked, onEdit }: ClientCardProps) {
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
          <ul aria-label={`Properties of ${name}`} className="mt-2 flex flex-col gap-1">
            {properties.map((property) => (
              <li key={property} className="wrap-anywhere">
                {property}
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
      description="This also deletes the client's schedules and links. Properties and their data stay."
      confirm="Delete client"
    />
  )
}
