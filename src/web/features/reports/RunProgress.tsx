import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { NewReportRun, ReportRun } from '../../../contract/reports/reports.ts'
import { isRunUnderWay, reloadPublished, runAgain, startRun } from '../../api/reports.ts'
import { pause } from '../../lib/concurrency.ts'
import { Progress } from '../../ui/Progress.tsx'

/** Progress of a report that is being created. */
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

const lookAgainMillis = 700

type Handlers = { onDone: (run: ReportRun) => void | Promise<void>; onFailed: (error: Error) => void }

/** Creates a PDF and follows it until it is ready; it also appears under "PDFs". */
export function useRun({ onDone, onFailed }: Handlers) {
  const client = useQueryClient()
  const [run, setRun] = useState<ReportRun | null>(null)
  const leaving = useRef<AbortController | null>(null)
  useEffect(() => () => leaving.current?.abort(), [])

  const making = useMutation({
    mutationFn: async (wanted: NewReportRun) => {
      setRun(null)
      const { signal } = (leaving.current = new AbortController())
      let current = await startRun(wanted)
      setRun(current)
      while (isRunUnderWay(current)) {
        await pause(lookAgainMillis, signal)
        current = await runAgain(current.id, signal)
        setRun(current)
      }
      if (current.state === 'failed') throw new Error(current.detail ?? "Couldn't create the report. Please try again.")
      await onDone(current)
    },
    onError: (error) => {
      if (leaving.current?.signal.aborted !== true) onFailed(error)
    },
    onSettled: () => reloadPublished(client, 'runs', 'schedules'),
  })
  return { start: (wanted: NewReportRun) => making.mutate(wanted), isMaking: making.isPending, run }
}
