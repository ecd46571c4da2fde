import type { ReportRun } from '../../../contract/publishing.ts'
import { Progress } from '../../ui/Progress.tsx'

/** How far a report is that is being made. */
export function RunProgress({ run, doing = 'Creating the PDF' }: { run: Pick<ReportRun, 'done' | 'total'> | null; doing?: string }) {
  const many = run !== null && run.total > 1
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Progress label={doing} fraction={many ? run.done / run.total : null} className="h-1.5 w-28" />
      <output className="text-sm whitespace-nowrap text-muted tabular-nums">
        {many ? `${run.done} of ${run.total} properties` : `${doing}…`}
      </output>
    </div>
  )
}
