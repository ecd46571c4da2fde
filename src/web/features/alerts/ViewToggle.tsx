import { LayoutGrid, Rows3 } from 'lucide-react'
import { Segments } from '../../ui/form/Segments.tsx'
import { type AlertsView, views } from './alerts-search.ts'

const looks = { cards: { label: 'Cards', Icon: LayoutGrid }, table: { label: 'Table', Icon: Rows3 } } as const

export function ViewToggle({ value, onChange }: { value: AlertsView; onChange: (value: AlertsView) => void }) {
  return <Segments label="View" choices={views.map((view) => ({ value: view, ...looks[view] }))} value={value} onChange={onChange} />
}
