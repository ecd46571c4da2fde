import type { ReactNode } from 'react'
import { Select } from '../../ui/form/Select.tsx'
import { SegmentSelect } from '../../widgets/analytics/SegmentSelect.tsx'
import { SearchField } from '../../widgets/analytics/SearchField.tsx'
import { brandChoices, type FiltersView, type PositionChoice, positionChoices, type SortChoice } from './keyword-views.ts'

type Show<View> = (change: Partial<View>, options?: { replace?: boolean }) => void

export function KeywordFilterBar({ children }: { children: ReactNode }) {
  return <div className="mb-4 grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))]">{children}</div>
}

/** Filters for keywords: text and brand. `between`: more filters of this kind. */
export function KeywordFilters({ view, show, between }: { view: FiltersView; show: Show<FiltersView>; between?: ReactNode }) {
  return (
    <>
      <div className="col-span-2 sm:col-span-1">
        <SearchField
          label="Keyword"
          placeholder="Contains..."
          value={view.search}
          onChange={(search) => show({ search }, { replace: true })}
        />
      </div>
      {between}
      <SegmentSelect of="query" all="All keywords" value={view.segment} onChange={(segment) => show({ segment })} />
      <BrandSelect value={view.brand} onChange={(brand) => show({ brand })} />
    </>
  )
}

const positionLabels: Record<PositionChoice, string> = { '5-15': 'Positions 5-15', '11-20': 'Positions 11-20', all: 'All positions' }

export function PositionSelect({ value, onChange }: { value: PositionChoice; onChange: (value: PositionChoice) => void }) {
  return <ChoiceSelect label="Position Range" choices={positionChoices} labels={positionLabels} value={value} onChange={onChange} />
}

const sortLabels: Record<SortChoice, string> = {
  opportunityScore: 'Opportunity Score',
  atStake: 'At stake',
  impressions: 'Impressions',
  position: 'Position',
  clicks: 'Clicks',
  ctr: 'CTR',
  query: 'Keyword',
  clicksChange: 'Change in clicks',
  impressionsChange: 'Change in impressions',
  ctrChange: 'Change in CTR',
  positionChange: 'Change in position',
}

type SortSelectProps<Choice extends SortChoice> = { choices: readonly Choice[]; value: SortChoice; onChange: (value: Choice) => void }

/** Also names an order that only a column header offers. */
export function SortSelect<Choice extends SortChoice>({ choices, value, onChange }: SortSelectProps<Choice>) {
  return (
    <ChoiceSelect
      label="Sort By"
      choices={[...new Set<SortChoice>([...choices, value])]}
      labels={sortLabels}
      value={value}
      onChange={(chosen) => {
        const found = choices.find((choice) => choice === chosen)
        if (found !== undefined) onChange(found)
      }}
    />
  )
}

const brandLabels: Record<FiltersView['brand'], string> = { all: 'All keywords', brand: 'Brand', 'non-brand': 'Non-brand' }

function BrandSelect({ value, onChange }: { value: FiltersView['brand']; onChange: (value: FiltersView['brand']) => void }) {
  return <ChoiceSelect label="Brand" choices={brandChoices} labels={brandLabels} value={value} onChange={onChange} />
}

type ChoiceSelectProps<Choice extends string> = {
  label: string
  choices: readonly Choice[]
  labels: Readonly<Record<Choice, string>>
  value: Choice
  onChange: (value: Choice) => void
}

function ChoiceSelect<Choice extends string>({ label, choices, labels, value, onChange }: ChoiceSelectProps<Choice>) {
  return (
    <Select
      label={label}
      value={value}
      choices={choices.map((each) => ({ value: each, label: labels[each] }))}
      placeholder=""
      onChange={(chosen) => {
        const found = choices.find((each) => each === chosen)
        if (found !== undefined) onChange(found)
      }}
    />
  )
}
