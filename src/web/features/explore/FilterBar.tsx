import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import {
  type Filter,
  type FilterField,
  filterFields,
  longestValue,
  mostFilters,
  readFilters,
  writeFilters,
} from '../../../contract/explore/explore.ts'
import { countryName } from '../../../core/analytics/country-name.ts'
import { deviceLabels } from '../../../core/analytics/device-name.ts'
import { appearanceName, knownAppearances } from '../../../core/analytics/exploration.ts'
import { segmentsQuery } from '../../api/analytics.ts'
import { brandListQuery } from '../../api/brand.ts'
import { Button } from '../../ui/Button.tsx'
import { Combobox } from '../../ui/form/Combobox.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { fieldLabels, filterWords, wayLabels } from './copy.ts'
import { type ExploreView, isAnswered, type ShowExplored } from './explore-view.ts'
import { SegmentMenu } from './SavedMenus.tsx'

type FilterBarProps = { property: string; view: ExploreView; show: ShowExplored }

/** The active filters, and how to add and change them. */
export function FilterBar({ property, view, show }: FilterBarProps) {
  // An index, or null for a new one.
  const [edited, setEdited] = useState<number | null>(null)
  const [isOpen, setOpen] = useState(false)
  const { filters } = view
  const edit = (at: number | null) => {
    setEdited(at)
    setOpen(true)
  }
  const others = filters.filter((_, at) => at !== edited)
  return (
    <div className="flex flex-wrap items-center gap-2 md:contents">
      <SegmentMenu view={view} show={show} />
      {filters.length > 0 && (
        <ul aria-label="Filters" className="contents">
          {filters.map((filter, at) => (
            <li
              key={writeFilters([filter])}
              className="flex max-w-full min-w-0 items-center rounded-control bg-surface outline-1 -outline-offset-1 outline-line-control"
            >
              <button
                type="button"
                className="control min-w-0 truncate rounded-l-control pr-1 pl-3 hover:bg-sunken"
                aria-label={`Edit filter: ${filterWords(filter)}`}
                title={filterWords(filter)}
                onClick={() => edit(at)}
              >
                {filterWords(filter)}
              </button>
              <button
                type="button"
                aria-label={`Remove filter: ${filterWords(filter)}`}
                className="control-square flex items-center justify-center rounded-r-control text-muted hover:bg-sunken hover:text-text"
                onClick={() => show({ filters: filters.filter((_, each) => each !== at) })}
              >
                <X aria-hidden className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Button disabled={filters.length >= mostFilters} onClick={() => edit(null)}>
        <Plus aria-hidden />
        Add filter
      </Button>
      {view.unfit !== '' && (
        <Button variant="quiet" onClick={() => show({ filters })}>
          Remove invalid filters
        </Button>
      )}
      {filters.length > 1 && (
        <Button variant="quiet" onClick={() => show({ filters: [] })}>
          Clear filters
        </Button>
      )}
      <Dialog open={isOpen} onOpenChange={setOpen} title={edited === null ? 'Add filter' : 'Edit filter'}>
        <FilterForm
          key={edited}
          property={property}
          view={{ ...view, filters: others }}
          filter={edited === null ? undefined : filters[edited]}
          onSave={(filter) => {
            show({ filters: edited === null ? [...filters, filter] : filters.map((each, at) => (at === edited ? filter : each)) })
            setOpen(false)
          }}
        />
      </Dialog>
    </div>
  )
}

type FilterFormProps = {
  property: string
  /** With the other filters: they determine which stored figures can answer. */
  view: ExploreView
  filter: Filter | undefined
  onSave: (filter: Filter) => void
}

const fields = Object.keys(filterFields) as FilterField[]

function FilterForm({ property, view, filter, onSave }: FilterFormProps) {
  const { data: brand } = useQuery(brandListQuery(property))
  const hasBrand = (brand?.terms.length ?? 0) > 0
  const canHave = (field: FilterField): boolean =>
    (field !== 'brand' || hasBrand) && isAnswered({ ...view, filters: [...view.filters, { field }] })
  const [field, setField] = useState<FilterField>(filter?.field ?? fields.find(canHave) ?? 'clicks')
  const ways = waysOf(field)
  const [way, setWay] = useState(
    Math.max(
      0,
      ways.findIndex((each) => each.operator === filter?.operator && each.not === filter.not),
    ),
  )
  const [value, setValue] = useState(filter?.value ?? firstValueOf(field))
  const [problem, setProblem] = useState<string>()

  function chooseField(chosen: string): void {
    const next = fields.find((each) => each === chosen) ?? field
    const isAlike = filterFields[next] === filterFields[field]
    setField(next)
    if (!isAlike) {
      setWay(0)
      setValue(firstValueOf(next))
    }
    setProblem(undefined)
  }

  function save(event: FormEvent): void {
    event.preventDefault()
    const { operator = 'is', not = false } = ways[way] ?? {}
    const { filters, problem: wrong } = readFilters(writeFilters([{ field, operator, not, value: value.trim().replaceAll('\n', ' ') }]))
    const [read] = filters
    if (read === undefined || wrong !== null) setProblem(`${wrong ?? 'Enter a value'}.`)
    else onSave(read)
  }

  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={save}>
      <Select
        label="Filter by"
        placeholder=""
        value={field}
        choices={fields.map((each) => ({ value: each, label: fieldLabels[each], disabled: !canHave(each) }))}
        onChange={chooseField}
      />
      {ways.length > 1 && (
        <Select
          label="Condition"
          placeholder=""
          value={String(way)}
          choices={ways.map(({ label }, at) => ({ value: String(at), label }))}
          onChange={(chosen) => setWay(Number(chosen))}
        />
      )}
      <ValueField
        property={property}
        field={field}
        value={value}
        problem={problem}
        isRegex={ways[way]?.operator === 'matches'}
        onChange={setValue}
      />
      <div className="flex justify-end">
        <Button type="submit" variant="primary">
          {filter === undefined ? 'Add filter' : 'Save filter'}
        </Button>
      </div>
    </form>
  )
}

/** A field whose value is chosen from a list can't start out empty. */
const firstValueOf = (field: FilterField): string => (field === 'brand' ? 'yes' : field === 'device' ? 'MOBILE' : '')

const waysOf = (field: FilterField) => {
  const operators: readonly string[] = filterFields[field]
  const ways = wayLabels.filter(({ operator }) => operators.includes(operator))
  return field === 'brand' || field === 'search_appearance' ? ways.slice(0, 1) : ways
}

type ValueFieldProps = {
  property: string
  field: FilterField
  value: string
  problem: string | undefined
  isRegex: boolean
  onChange: (value: string) => void
}

function ValueField({ property, field, value, problem, isRegex, onChange }: ValueFieldProps) {
  switch (field) {
    case 'brand':
      return (
        <Select
          label="Keywords"
          placeholder=""
          value={value}
          choices={[
            { value: 'yes', label: 'Brand keywords' },
            { value: 'no', label: 'Non-brand keywords' },
          ]}
          onChange={onChange}
        />
      )
    case 'device':
      return (
        <Select
          label="Device"
          placeholder=""
          value={value}
          choices={Object.entries(deviceLabels).map(([device, label]) => ({ value: device, label }))}
          onChange={onChange}
        />
      )
    case 'search_appearance':
      return (
        <Combobox
          label="Search appearance"
          search="Search appearances"
          empty="No search appearances found."
          value={value}
          error={problem}
          choices={[...new Set([...knownAppearances, ...(value === '' ? [] : [value])])].map((code) => ({
            value: code,
            label: appearanceName(code),
          }))}
          onChange={onChange}
        />
      )
    case 'country':
      return <CountryField property={property} value={value} problem={problem} onChange={onChange} />
    case 'query':
    case 'page':
      return (
        <Field
          label="Value"
          hint={isRegex ? 'RE2 syntax, as in Search Console. Case-sensitive unless it starts with (?i).' : undefined}
          error={problem}
          autoComplete="off"
          maxLength={longestValue}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    default:
      return (
        <Field
          label="Value"
          error={problem}
          inputMode="decimal"
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
  }
}

/** Countries where the site was shown lately. */
function CountryField({ property, value, problem, onChange }: Pick<ValueFieldProps, 'property' | 'value' | 'problem' | 'onChange'>) {
  const { data = [] } = useQuery(segmentsQuery(property, { range: '90d', compare: 'none', dimension: 'country' }))
  const codes = data.map(({ name }) => name)
  return (
    <Combobox
      label="Country"
      search="Search countries"
      empty="No countries found."
      value={value}
      error={problem}
      choices={(value === '' || codes.includes(value) ? codes : [value, ...codes]).map((code) => ({
        value: code,
        label: countryName(code),
      }))}
      onChange={onChange}
    />
  )
}
