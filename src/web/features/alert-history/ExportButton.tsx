import { Download } from 'lucide-react'
import { type AlertsFilter, exportAddress } from '../../api/alerts.ts'
import { Button } from '../../ui/Button.tsx'
import { useCsvExport } from '../../widgets/use-csv-export.ts'

/** All that the filter lets through, not only the page on screen (OPEN-POINTS 10). */
export function ExportButton({ property, filter }: { property: string; filter: AlertsFilter }) {
  const { mutate, isPending } = useCsvExport()
  return (
    <Button disabled={isPending} onClick={() => mutate({ address: exportAddress(property, filter), what: `The alerts for ${property}` })}>
      <Download aria-hidden />
      {isPending ? 'Exporting...' : 'Export CSV'}
    </Button>
  )
}
