import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Search, X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { HistoryRange } from '../../../contract/range.ts'
import { searchedRange } from '../../../contract/search.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { counted } from '../../../core/words.ts'
import { failureText } from '../../api/client.ts'
import { longestSearch, searchQuery } from '../../api/search.ts'
import { holds, spansOf } from '../../lib/matching.ts'
import { Button, iconButtonClass } from '../../ui/Button.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { Marked, MiddleCut } from '../../ui/MiddleCut.tsx'
import { backdropClass } from '../../ui/overlay/Dialog.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useCurrentUser } from '../current-user.ts'
import { analyticsScreens, withKeptParams } from '../frame/kept-params.ts'
import { palettePlaceholder, useShellDialogs } from '../frame/shell-dialogs.ts'
import { type Entry, type EntryGroup, fitting, foundGroups, recentGroup } from './entries.ts'
import { metricsGroup, screensGroup } from './places.ts'
import { daysText, searchedDays, withinDays } from './searched-days.ts'
import { useActions } from './use-actions.ts'

/** Finds keywords, pages, metrics, screens and actions (OPEN-POINTS 1). */
export function Palette() {
  const { close, opener, remember } = useShellDialogs()
  const { selectedProperty } = useCurrentUser()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  /** The focus goes elsewhere. */
  const left = useRef(false)

  function choose({ choose: chosen }: Entry) {
    close()
    if ('run' in chosen) {
      chosen.run()
      return
    }
    left.current = true
    if (chosen.recent) remember(chosen.recent)
    // The days on screen stay; a screen without any leads to those of the search.
    const isFound = chosen.recent !== undefined && !analyticsScreens.includes(window.location.pathname)
    void navigate(isFound ? `${chosen.to}&range=${searchedRange}` : withKeptParams(chosen.to, window.location))
  }

  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) close()
      }}
    >
      <Dialog.Portal>
        {/* Above popovers too. */}
        <Dialog.Backdrop className={clsx(backdropClass, 'z-25')} />
        <Dialog.Viewport className="fixed inset-0 z-25 flex items-start justify-center overflow-hidden sm:px-4 sm:pt-[max(1rem,12dvh)]">
          <Dialog.Popup
            initialFocus={input}
            finalFocus={() => (left.current ? document.getElementById('content') : opener())}
            aria-label="Search"
            data-keeps-keys
            // A fixed height, so that nothing moves under the pointer.
            className="flex h-dvh w-full flex-col overflow-hidden bg-surface shadow-float sm:h-[min(34rem,76dvh)] sm:max-w-2xl sm:rounded-card sm:border sm:border-line"
          >
            <PaletteList key={selectedProperty} input={input} onChoose={choose} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type PaletteListProps = { input: RefObject<HTMLInputElement | null>; onChoose: (entry: Entry) => void }

function PaletteList({ input, onChoose }: PaletteListProps) {
  const { text, setText, recent } = useShellDialogs()
  const { selectedProperty } = useCurrentUser()
  const actions = useActions()
  const location = useLocation()
  const days = searchedDays(location)
  const found = useFound(selectedProperty, text, days)
  // Local entries come first: they appear at once, and server results don't move them.
  const groups = [
    ...fitting([...(text.trim() === '' ? [recentGroup(recent, selectedProperty)] : []), screensGroup, metricsGroup, ...actions], text),
    ...(found.state === 'found' ? found.groups : []),
  ]
  const count = groups.reduce((sum, group) => sum + group.items.length, 0)
  return (
    <Autocomplete.Root
      open
      inline
      mode="none"
      filter={null}
      items={groups}
      autoHighlight="always"
      keepHighlight
      value={text}
      itemToStringValue={(entry: Entry) => entry.label}
      onValueChange={(value, { reason }) => {
        // Choosing an entry opens it instead of filling the field.
        if (reason !== 'item-press') setText(value)
      }}
    >
      <div className="flex shrink-0 items-center gap-2 border-b border-line pr-2 pl-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <Autocomplete.Input
          ref={input}
          aria-label="Search"
          placeholder={palettePlaceholder}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          className="h-14 min-w-0 flex-1 bg-transparent text-[1rem] outline-none placeholder:text-muted"
        />
        <Dialog.Close className={iconButtonClass()} aria-label="Close">
          <X aria-hidden />
        </Dialog.Close>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5">
        <Autocomplete.List className="outline-none">
          {(group: EntryGroup) => (
            <Autocomplete.Group key={group.value} items={group.items} className="mb-1.5">
              <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{group.value}</Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(entry: Entry) => (
                  <EntryRow key={entry.id} entry={entry} text={text} outdated={group.outdated ?? false} onChoose={onChoose} />
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
        <FoundState found={found} property={selectedProperty} text={text.trim()} range={days.range} />
      </div>
      <Autocomplete.Status className="sr-only">{counted(count, 'result')}</Autocomplete.Status>
      <p aria-hidden className="flex shrink-0 items-center gap-1.5 border-t border-line px-4 py-2 text-xs text-muted max-sm:hidden">
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd>
        <span className="mr-3">to move</span>
        <Kbd>Enter</Kbd>
        <span className="mr-3">to open</span>
        <Kbd>Esc</Kbd>
        <span>to close</span>
        <span className="ml-auto">Clicks, {daysText(days.range)}</span>
      </p>
    </Autocomplete.Root>
  )
}

type EntryRowProps = { entry: Entry; text: string; outdated: boolean; onChoose: (entry: Entry) => void }

/** `text`: the search text, highlighted in the label. */
function EntryRow({ entry, text, outdated, onChoose }: EntryRowProps) {
  const { label, icon: Icon, note, keys, isAddress } = entry
  const spans = spansOf(label, text)
  return (
    <Autocomplete.Item
      value={entry}
      onClick={() => onChoose(entry)}
      className={clsx(
        'flex min-h-10 scroll-my-8 items-center gap-2.5 rounded-md px-2.5 py-1.5 outline-none select-none data-highlighted:bg-sunken lg:min-h-9',
        outdated && 'opacity-50',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1" title={label}>
        {isAddress ? (
          <MiddleCut text={label} spans={spans} />
        ) : (
          <span className="block truncate">
            <Marked text={label} spans={spans} />
          </span>
        )}
      </span>
      {note !== undefined && <span className="shrink-0 text-sm text-muted tabular-nums">{note}</span>}
      {keys && (
        <span aria-hidden className="flex shrink-0 gap-1 max-lg:hidden">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      )}
    </Autocomplete.Item>
  )
}

type FoundStateProps = { found: Found; property: string | null; text: string; range: HistoryRange }

/** Says why there are no keywords and pages to show. */
function FoundState({ found, property, text, range }: FoundStateProps) {
  if (property === null) {
    return <p className="px-2.5 py-3 text-muted">No property selected. Select one to find its keywords and pages.</p>
  }
  switch (found.state) {
    case 'idle':
      return null
    case 'loading':
      return <Loading />
    case 'failed':
      return (
        <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 px-2.5 py-3">
          <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
            <span className="font-medium">Unable to search keywords and pages</span>
            <span className="block text-muted">
              {propertyName(property)}: {failureText(found.error)}
            </span>
          </p>
          <Button onClick={found.retry}>Try again</Button>
        </div>
      )
    case 'found':
      if (found.groups.length > 0) return null
      return (
        <p className="px-2.5 py-3 wrap-anywhere text-muted">
          No keywords or pages match “{text}” for {propertyName(property)} {withinDays(range)}.
        </p>
      )
  }
}

function Loading() {
  return (
    <div aria-busy className="px-2.5 py-1.5">
      <output className="sr-only">Searching keywords and pages</output>
      <Skeleton className="mt-1 mb-3 h-4 w-20" />
      {['w-2/3', 'w-1/2', 'w-3/5'].map((width) => (
        <div key={width} className="flex h-10 items-center gap-2.5 lg:h-9">
          <Skeleton className="size-4" />
          <Skeleton className={`h-4 ${width}`} />
          <Skeleton className="ml-auto h-4 w-16" />
        </div>
      ))}
    </div>
  )
}

/** How long typing must pause before searching. */
const pauseMillis = 150

type Found =
  | { state: 'idle' | 'loading' }
  /** `outdated`: results for an earlier text, filtered by the current one. */
  | { state: 'found'; groups: EntryGroup[]; outdated: boolean }
  | { state: 'failed'; error: Error; retry: () => void }

/** Keywords and pages of a property that contain the text. Cancels outdated requests. */
function useFound(property: string | null, typed: string, days: ReturnType<typeof searchedDays>): Found {
  const text = typed.trim().slice(0, longestSearch)
  const asked = useSettled(text, pauseMillis)
  const enabled = property !== null && asked !== '' && text !== ''
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({ ...searchQuery(property ?? '', asked, days), enabled })
  if (property === null || text === '') return { state: 'idle' }
  const settled = asked === text
  if (settled && error !== null && !isFetching) return { state: 'failed', error, retry: () => void refetch() }
  if (!enabled || data === undefined) return { state: 'loading' }
  const outdated = !settled || isPlaceholderData || isFetching
  if (!outdated) return { state: 'found', groups: foundGroups(data, property, false), outdated }
  const groups = foundGroups(
    { keywords: data.keywords.filter(({ query }) => holds(query, text)), pages: data.pages.filter(({ page }) => holds(page, text)) },
    property,
    true,
  )
  return groups.length > 0 ? { state: 'found', groups, outdated } : { state: 'loading' }
}

/** The value, once it has not changed for `millis`. */
function useSettled<T>(value: T, millis: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), millis)
    return () => clearTimeout(timer)
  }, [value, millis])
  return settled
}
