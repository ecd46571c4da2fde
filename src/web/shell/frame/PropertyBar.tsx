import { clsx } from 'clsx'
import { ChevronsUpDown, FileUp, Globe, Plug, RefreshCw } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { SyncStatus } from '../../../contract/sync.ts'
import type { Property } from '../../../contract/user.ts'
import { historyProgress, isUnderWay } from '../../api/sync.ts'
import { formatDayBy, formatMoment } from '../../lib/dates.ts'
import { useAddress } from '../../lib/hooks/use-address.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { paths } from '../../paths.ts'
import { buttonClass, IconButton } from '../../ui/Button.tsx'
import type { MenuEntry } from '../../ui/overlay/menu-entry.ts'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { Tooltip } from '../../ui/overlay/Tooltip.tsx'
import { connectGoogle } from '../connect-google.ts'
import { useCurrentUser } from '../current-user.ts'
import { useIsOfAll, useProperties, useSelectProperty } from '../properties.ts'
import { useRefresh, useSyncStatus } from '../sync.ts'
import { listsOfAll } from './kept-params.ts'
import { PropertyLabel, PropertyName, spokenProperty } from '../../widgets/PropertyName.tsx'

export function PropertyBar() {
  const { selectedProperty } = useCurrentUser()
  const isOfAll = useIsOfAll()
  return (
    <div className="@container flex min-h-10 flex-wrap items-center gap-x-2 md:gap-x-1 md:flex-nowrap">
      <span className="shrink-0 text-muted">Property:</span>
      {selectedProperty === null ? (
        <>
          <span className="py-2 font-medium">No property selected</span>
          <Link to={paths.selectSites} className="inline-flex min-h-10 items-center font-medium text-brand hover:underline">
            Select a property →
          </Link>
        </>
      ) : (
        <>
          <PropertySwitcher selected={selectedProperty} />
          {!isOfAll && (
            <>
              <RefreshButton property={selectedProperty} />
              <LastUpdated />
            </>
          )}
        </>
      )}
    </div>
  )
}

const ImportDialog = lazy(async () => ({ default: (await import('../import/ImportDialog.tsx')).ImportDialog }))

function PropertySwitcher({ selected }: { selected: string }) {
  const properties = useProperties()
  const select = useSelectProperty()
  const navigate = useNavigate()
  const [importing, setImporting] = useState(false)
  const { pathname } = useLocation()
  const [, change] = useAddress()
  const isOfAll = useIsOfAll()
  const showOf = (property: string) =>
    change((written) => {
      written.set('property', property)
      return written
    })

  function choose(name: string) {
    if (name !== selected) select.mutate(name)
    else if (isOfAll) showOf(name)
  }

  const group = (label: string, monitored: boolean): MenuEntry[] => {
    const choices = properties.filter((property) => property.monitored === monitored).map(choiceOf)
    return choices.length === 0 ? [] : [{ kind: 'choices', label, value: isOfAll ? '' : selected, choices, onChange: choose }]
  }
  const entries: MenuEntry[] = [
    ...group('Monitored', true),
    ...group('Others', false),
    {
      kind: 'action',
      label: 'All sites',
      icon: <Globe aria-hidden />,
      separated: properties.length > 0,
      onSelect: () => (listsOfAll.includes(pathname) ? showOf('all') : void navigate(paths.sites)),
    },
    {
      kind: 'action',
      label: 'Connect Search Console',
      icon: <Plug aria-hidden />,
      separated: true,
      onSelect: () => connectGoogle('/dashboard'),
    },
    { kind: 'action', label: 'Import a file…', icon: <FileUp aria-hidden />, onSelect: () => setImporting(true) },
  ]
  return (
    <>
      <Menu
        align="start"
        label={`Property: ${isOfAll ? 'All sites' : spokenProperty(selected)}`}
        triggerClass={buttonClass('quiet', 'min-w-0 max-w-[calc(100%-7.5rem)] px-2! max-sm:[&_[data-domain]]:hidden')}
        trigger={
          <>
            {isOfAll ? 'All sites' : <PropertyName name={selected} />}
            <ChevronsUpDown aria-hidden className="text-muted" />
          </>
        }
        entries={entries}
      />
      {importing && (
        <Suspense>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </>
  )
}

const choiceOf = (property: Property) => ({ value: property.name, label: <PropertyLabel property={property} /> })

// From tablets up it shares one line with the property's name, which needs the room more. Screen readers still read what is hidden there,
// and the tooltip shows it.
const whereWide = 'md:sr-only md:@min-[42rem]:not-sr-only'
const onPhones = 'md:sr-only'

/** When data was last fetched and up to which day it is final; during a backfill, how much of the history is stored. */
function LastUpdated() {
  const status = useSyncStatus()
  const now = useNow()
  const { main, more, rest } = status === null ? { main: 'Last updated:' } : describe(status, now)
  const all = `${main}${more ?? ''}${rest ?? ''}`
  return (
    <p
      className={clsx(
        'basis-full text-xs text-muted tabular-nums md:ml-auto md:min-w-40 md:shrink-0 md:basis-auto md:text-right md:@min-[42rem]:min-w-76',
        status === null && 'invisible',
      )}
    >
      <Tooltip below content={all}>
        <button
          type="button"
          aria-label={all}
          className="cursor-default text-left max-md:line-clamp-2 max-[22.5rem]:min-h-[2lh] md:min-h-10 md:whitespace-nowrap"
        >
          {main}
          {more && <span className={whereWide}>{more}</span>}
          {rest && <span className={onPhones}>{rest}</span>}
        </button>
      </Tooltip>
    </p>
  )
}

/** `main` is always visible, `more` if the line is wide enough and on phones, `rest` on phones, which have a second line for it. */
function describe(status: SyncStatus, now: Date): { main: string; more?: string; rest?: string } {
  const { lastSyncedAt, completeThrough } = status
  const history = historyProgress(status)
  const updated = `Last updated: ${lastSyncedAt === null ? 'never' : formatMoment(new Date(lastSyncedAt), now)}`
  if (history !== null) {
    const left = history.left === null ? {} : { more: `, ${history.left}` }
    return { main: history.days, ...left, ...(lastSyncedAt !== null && { rest: `. ${updated}` }) }
  }
  if (isUnderWay(status)) return { main: updated, more: ', syncing' }
  return completeThrough === null ? { main: updated } : { main: updated, more: `, complete through ${formatDayBy(completeThrough, now)}` }
}

/** Fetches the property's new data now. Imported properties have no source to fetch from. */
function RefreshButton({ property }: { property: string }) {
  const status = useSyncStatus()
  const refresh = useRefresh()
  if (status?.state === 'imported') return null
  return (
    // Allowed during a backfill too: a refresh goes first.
    <IconButton aria-label="Refresh" disabled={refresh.isPending} onClick={() => refresh.mutate(property)}>
      <RefreshCw aria-hidden className={clsx((refresh.isPending || status?.running) && 'animate-spin')} />
    </IconButton>
  )
}
