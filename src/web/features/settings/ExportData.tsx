import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { downloadExport } from '../../api/account-data.ts'
import { failureText } from '../../api/client.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Progress } from '../../ui/Progress.tsx'

export function ExportData() {
  const [received, setReceived] = useState(0)
  const download = useMutation({
    mutationFn: () => downloadExport(setReceived),
    onMutate: () => setReceived(0),
    onSuccess: ({ file, name }) => {
      saveFile(file, name)
      toast.success('Data Exported', `${name} is in your downloads.`)
    },
    onError: (error) => toast.error('Export Failed', failureText(error, "Couldn't export your data. Please try again.")),
  })
  return (
    <section aria-labelledby="export-data">
      <h3 id="export-data" className="font-semibold">
        Export my data
      </h3>
      <p className="mt-1 max-w-[70ch] text-muted">
        A ZIP file with your account, your settings and all stored data of your properties, as CSV and JSON.
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button disabled={download.isPending} onClick={() => download.mutate()}>
          <Download aria-hidden />
          {download.isPending ? 'Exporting...' : 'Export my data'}
        </Button>
        {download.isPending && (
          <div className="flex min-w-0 flex-1 basis-40 items-center gap-3">
            <Progress label="Export" fraction={null} className="h-1.5 max-w-40" />
            <span className="whitespace-nowrap text-muted tabular-nums">{(received / 1_000_000).toFixed(1)} MB</span>
          </div>
        )}
      </div>
    </section>
  )
}
