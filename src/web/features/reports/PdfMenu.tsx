import { ChevronDown, Download } from 'lucide-react'
import type { Paper } from '../../../contract/publishing.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'

const papers: Record<Paper, string> = { a4: 'A4', letter: 'US Letter' }

/** Asks for the paper, then has the PDF made. */
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
