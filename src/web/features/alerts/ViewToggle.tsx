import { LayoutGrid, Rows3 } from 'lucide-react'
import { useId } from 'react'
import { type AlertsView, views } from './alerts-search.ts'

const looks = { cards: { label: 'Cards', Icon: LayoutGrid }, table: { label: 'Table', Icon: Rows3 } } as const

export function ViewToggle({ value, onChange }: { value: AlertsView; onChange: (value: AlertsView) => void }) {
  const name = useId()
  return (
    <fieldset className="inline-flex rounded-control border border-line-control bg-surface p-0.5">
      <legend className="sr-only">View</legend>
      {views.map((view) => {
        const { label, Icon } = looks[view]
        return (
          <label
            key={view}
            className="inline-flex h-8.5 cursor-pointer items-center gap-1.5 rounded-md px-2.5 font-medium text-muted transition-colors duration-150 hover:text-text has-checked:bg-brand-soft has-checked:text-brand has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand lg:pointer-fine:h-7.5 [&_svg]:size-4"
          >
            <input type="radio" name={name} className="sr-only" checked={view === value} onChange={() => onChange(view)} />
            <Icon aria-hidden />
            {label}
          </label>
        )
      })}
    </fieldset>
  )
}
