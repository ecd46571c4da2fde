import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { SortOrder } from '../../../contract/analytics.ts'
import { changeId, columnName, type DataColumn, type NameColumn, nameId, nextSort, type TableSort } from './columns.ts'

type Sorting = {
  sort: TableSort | undefined
  onSort: (sort: TableSort) => void
  sortable: readonly string[] | undefined
}

type TableHeadProps<Row> = Sorting & { name: NameColumn<Row>; columns: readonly DataColumn<Row>[] }

/** The column headers, which sort by the columns and by their change. */
export function TableHead<Row>({ name, columns, ...sorting }: TableHeadProps<Row>) {
  const can = (id: string): boolean => sorting.sortable?.includes(id) ?? true
  const { sort } = sorting
  return (
    <thead className="text-muted">
      <tr aria-rowindex={1}>
        <th scope="col" aria-sort={ariaSort(sort, nameId)} className={clsx(headClass, 'left-0 z-3 pr-4 text-left')}>
          {name.canSort !== false && can(nameId) ? (
            <SortButton id={nameId} label={name.label} first="asc" isText {...sorting} />
          ) : (
            name.label
          )}
        </th>
        {columns.map((column) => {
          const { id, label, align, value, change, first = 'desc' } = column
          const isText = align === 'left'
          return (
            <th
              key={id}
              scope="col"
              aria-sort={ariaSort(sort, id) ?? ariaSort(sort, changeId(id))}
              className={clsx(headClass, 'z-2 pl-4', isText ? 'text-left' : 'text-right')}
            >
              <span className={clsx(labelsClass, isText ? 'items-start @[60rem]/table:flex-row-reverse' : 'items-end')}>
                {change !== undefined && can(changeId(id)) && (
                  <SortButton
                    id={changeId(id)}
                    label="±"
                    name={`Change in ${columnName(column)}`}
                    first="desc"
                    isText={isText}
                    {...sorting}
                  />
                )}
                {value !== undefined && can(id) ? (
                  <SortButton id={id} label={label} name={columnName(column)} first={first} isText={isText} {...sorting} />
                ) : (
                  label
                )}
              </span>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

const headClass = 'sticky top-0 h-11 border-b border-line bg-surface font-medium @[60rem]/table:whitespace-nowrap'
/** A column's two orders side by side, or one above the other in a narrow box. */
const labelsClass =
  'inline-flex flex-col-reverse @max-[60rem]/table:-my-px @max-[60rem]/table:*:h-auto! @max-[60rem]/table:*:min-h-7 @[60rem]/table:flex-row @[60rem]/table:items-center @[60rem]/table:gap-4'

const ariaSort = (sort: TableSort | undefined, id: string): 'ascending' | 'descending' | undefined =>
  sort?.by !== id ? undefined : sort.order === 'asc' ? 'ascending' : 'descending'

type SortButtonProps = Omit<Sorting, 'sortable'> & { id: string; label: string; name?: string; first: SortOrder; isText: boolean }

function SortButton({ id, label, name = label, first, isText, sort, onSort }: SortButtonProps) {
  const isSorted = sort?.by === id
  const Arrow = isSorted && sort.order === 'asc' ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      {...(name !== label && { 'aria-label': name, title: name })}
      className={clsx(
        'relative inline-flex h-10 min-w-6 items-center justify-center rounded-sm font-medium hover:text-text lg:h-9',
        isText ? 'text-left' : 'text-right',
        isSorted && 'text-text',
      )}
      onClick={() => onSort(nextSort(sort, id, first))}
    >
      {label}
      {/* Next to the label: before a figure's, in the gap between columns, so that none gets wider. */}
      {isSorted && (
        <Arrow aria-hidden className={clsx('pointer-events-none size-3.5 shrink-0', isText ? 'ml-0.5' : 'absolute right-full mr-0.5')} />
      )}
    </button>
  )
}
