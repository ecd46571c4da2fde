import { Share2 } from 'lucide-react'
import { useState } from 'react'
import type { Period } from '../../../contract/metrics.ts'
import type { ReportKind } from '../../../contract/reports/periodic.ts'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/form/Segments.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { periodTitle } from '../../widgets/report/copy.ts'
import { PdfMenu, usePdf } from './PdfMenu.tsx'
import { ReportSegment } from './ReportSegment.tsx'
import { RunProgress } from './RunProgress.tsx'
import { ShareDialog } from './ShareDialog.tsx'

type ReportBarProps = {
  property: string
  kind: ReportKind
  /** Why there is only the monthly summary; null with a plan that has full reports. */
  locked: string | null
  periods: readonly Period[]
  /** The report on screen; null while there is none. */
  start: string | null
  /** The segment it is limited to; empty for none. */
  segment: string
  onSegment: (segment: string) => void
  onKind: (kind: ReportKind) => void
  onStart: (start: string) => void
}

const kinds = [
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
] as const

/** Selects the report, and offers what can be made of it. */
export function ReportBar({ property, kind, locked, periods, start, segment, onSegment, onKind, onStart }: ReportBarProps) {
  const [sharing, setSharing] = useState(false)
  const pdf = usePdf()
  const limited = segment === '' ? {} : { segment }
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-3 print:hidden">
      <div className="flex flex-wrap items-center gap-2">
        {locked === null && <Segments label="Report type" choices={kinds} value={kind} onChange={onKind} />}
        {periods.length > 0 && (
          <div className="w-52">
            <Select
              label={kind === 'month' ? 'Report month' : 'Report week'}
              hideLabel
              value={start}
              placeholder=""
              choices={periods.map((each) => ({ value: each.start, label: periodTitle(kind, each) }))}
              onChange={onStart}
            />
          </div>
        )}
        {periods.length > 0 && <ReportSegment hideLabel value={segment} onChange={onSegment} />}
      </div>
      {locked === null && start !== null && (
        <div className="flex flex-wrap items-center gap-2">
          {pdf.isMaking ? (
            <RunProgress run={pdf.run} />
          ) : (
            <PdfMenu onChoose={(paper) => pdf.make({ subject: { property }, ...limited, kind, paper, start })} />
          )}
          <Button onClick={() => setSharing(true)}>
            <Share2 aria-hidden />
            Share link
          </Button>
          <ShareDialog
            open={sharing}
            onOpenChange={setSharing}
            title={property}
            subject={{ property }}
            report={{ ...limited, kind, start }}
          />
        </div>
      )}
    </div>
  )
}
