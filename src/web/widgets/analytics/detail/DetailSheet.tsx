import { writeRange } from '../../../../contract/history.ts'
import type { View } from '../../../lib/address-view.ts'
import { SidePanel } from '../../../ui/overlay/SidePanel.tsx'
import { askingFor, CompareSelect, rangeIn, RangeSelect } from '../PeriodSelects.tsx'
import { DetailActions } from './DetailActions.tsx'
import { DetailDays } from './DetailDays.tsx'
import type { Detail, detailView } from './detail-link.ts'
import { nouns } from './detail-words.ts'
import { KeywordPages } from './KeywordPages.tsx'
import { PageKeywords } from './PageKeywords.tsx'
import { ComparedDays } from '../ComparedDays.tsx'
import { useDetailDays } from './use-detail-days.ts'

type DetailProps = {
  property: string
  detail: Detail
  view: View<typeof detailView>
  onShow: (change: Partial<View<typeof detailView>>) => void
}

export function DetailSheet({ open, onClose, ...props }: DetailProps & { open: boolean; onClose: () => void }) {
  const { kind, name } = props.detail
  return (
    <SidePanel open={open} onOpenChange={(next) => !next && onClose()} kind={nouns[kind].title} title={name}>
      {/* Nothing of one is left in the panel of another. */}
      <DetailBody key={`${kind} ${name}`} {...props} />
    </SidePanel>
  )
}

/** A page or a query: its figures, its days, and which queries bring it or which pages compete for it. */
function DetailBody({ property, detail, view, onShow }: DetailProps) {
  const { kind, name } = detail
  const range = rangeIn(view)
  const period = { range: writeRange(range), compare: view.compare }
  const days = useDetailDays(property, detail, period)
  const wasShown = days.answer === undefined || days.figures !== null
  return (
    <ComparedDays of={days.days}>
      <DetailActions property={property} detail={detail} />
      <div className="mt-5 grid max-w-md grid-cols-[2fr_3fr] gap-3">
        <RangeSelect property={property} hideLabel value={range} onChange={(chosen) => onShow(askingFor(chosen))} />
        <CompareSelect hideLabel value={view.compare} onChange={(compare) => onShow({ compare })} />
      </div>
      <DetailDays property={property} detail={detail} days={days} metric={view.chart} onMetric={(chart) => onShow({ chart })} />
      {wasShown && kind === 'page' && <PageKeywords property={property} page={name} period={period} ofPage={days} />}
      {wasShown && kind === 'keyword' && <KeywordPages property={property} query={name} period={period} ofQuery={days} />}
    </ComparedDays>
  )
}
