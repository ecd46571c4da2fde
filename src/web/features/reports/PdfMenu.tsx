import { ChevronDown, Download } from 'lucide-react'
import type { NewReportRun, Paper } from '../../../contract/reports/reports.ts'
import { failureText } from '../../api/client.ts'
import { downloadRun } from '../../api/reports.ts'
import { saveFile } from '../../lib/save-file.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { useRun } from './RunProgress.tsx'

const papers: Record<Paper, string> = { a4: 'A4', letter: 'US Letter' }

/** Asks for the paper size, then creates the PDF. */
export function PdfMenu({ label = 'Download PDF', onChoose }: { label?: string; onChoose: (paper: Paper) => void }) {
  return (
    <Menu
      label={label}
      triggerClass={buttonClass('secondary')}
      trigger={
        <>
          <Download aria-hidden />
          Download PDF
          <ChevronDown aria-hidden className="text-muted" />
        </>
      }
      entries={(['a4', 'letter'] as const).map((paper) => ({
        kind: 'action',
        label: papers[paper],
        icon: null,
        onSelect: () => onChoose(paper),
      }))}
    />
  )
}

/** Creates the PDF of a report and downloads it. */
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
