import type { NewReportRun } from '../../../contract/publishing.ts'
import { failureText } from '../../api/client.ts'
import { downloadRun } from '../../api/publishing.ts'
import { saveFile } from '../../lib/save-file.ts'
import { toast } from '../../ui/overlay/toast.ts'
import { useRun } from './use-run.ts'

/** Makes the PDF of a report and puts it into the downloads. */
export function usePdf(): { make: (wanted: NewReportRun) => void; isMaking: boolean; run: ReturnType<typeof useRun>['run'] } {
  const { start, isMaking, run } = useRun({
    onDone: async ({ id, detail }) => {
      const { file, name } = await downloadRun(id)
      saveFile(file, name)
      toast.success('Report Downloaded', detail ?? `${name} is in your downloads.`)
    },
    onFailed: (error) => toast.error('PDF Not Created', failureText(error)),
  })
  return { make: start, isMaking, run }
}
