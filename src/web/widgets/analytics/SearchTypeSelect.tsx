import { useQuery } from '@tanstack/react-query'
import { type SearchType, searchType, searchTypes } from '../../../contract/common.ts'
import { typeLabels } from '../../../core/analytics/exploration.ts'
import { searchTypesQuery } from '../../api/analytics.ts'
import { Select } from '../../ui/form/Select.tsx'

/** The search types a property has figures of, with the one already chosen. */
export function useOfferedTypes(property: string, value: SearchType): SearchType[] {
  const { data = [] } = useQuery(searchTypesQuery(property, { range: 'all', compare: 'none' }))
  const stored = new Set<SearchType>(['web', value, ...data.map(({ type }) => type)])
  return searchTypes.filter((type) => stored.has(type))
}

type SearchTypeSelectProps = {
  property: string
  value: SearchType
  className?: string
  hideLabel?: boolean
  disabled?: boolean
  onChange: (type: SearchType) => void
}

/** One of a property's search types; not shown if it has only web search, unless another one is set. */
export function SearchTypeSelect({ property, value, className, hideLabel = false, disabled = false, onChange }: SearchTypeSelectProps) {
  const offered = useOfferedTypes(property, value)
  if (offered.length === 1) return null
  return (
    <div className={className}>
      <Select
        label="Search type"
        hideLabel={hideLabel}
        placeholder="Choose a search type"
        value={value}
        choices={offered.map((type) => ({ value: type, label: typeLabels[type] }))}
        disabled={disabled}
        onChange={(chosen) => onChange(searchType.parse(chosen))}
      />
    </div>
  )
}
