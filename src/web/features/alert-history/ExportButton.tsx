import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type AlertsFilter, exportAddress } from '../../api/alerts.ts'
import { failureText } from '../../api/client.ts'
import { download } from '../../api/download.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'

/** All that the filter lets through, not only the page on screen (OPEN-POINTS 10). */
export function ExportButton({ property, filter }: { property: string; filter: AlertsFilter }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => download(exportAddress(property, filter)),
    onSuccess: ({ file, name }) => saveFile(file, name),
    onError: (error) =>
      toast.error('Export Failed', failureText(error, `The alerts of ${property} could not be exported. Please try again.`)),
  })
  return (
    <Button disabled={isPending} onClick={() => mutate()}>
      <Download aria-hidden />
      {isPending ? 'Exporting...' : 'Export CSV'}
    </Button>
  )
}
