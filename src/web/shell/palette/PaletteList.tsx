import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Search, X } from 'lucide-react'
import type { RefObject } from 'react'
import { iconButtonClass } from '../../ui/Button.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { useCurrentUser } from '../current-user.ts'
import { useShellDialogs } from '../frame/shell-dialogs.ts'
import { type Entry, type EntryGroup, fitting, recentGroup } from './entries.ts'
import { EntryRow } from './EntryRow.tsx'
import { FoundState } from './FoundState.tsx'
import { metricsGroup, screensGroup } from './places.ts'
import { placeholder } from './placeholder.ts'
import { useActions } from './use-actions.ts'
import { useFound } from './use-found.ts'

type PaletteListProps = { input: RefObject<HTMLInputElement | null>; onChoose: (entry: Entry) => void }

export function PaletteList({ input, onChoose }: PaletteListProps) {
  const { text, setText, recent } = useShellDialogs()
  const { selectedProperty } = useCurrentUser()
  const actions = useActions()
  const found = useFound(selectedProperty, text)
  // What is known here comes first: it is there at once, and what is found later moves nothing.
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
        // What is chosen is opened, not written into the field.
        if (reason !== 'item-press') setText(value)
      }}
    >
      <div className="flex shrink-0 items-center gap-2 border-b border-line pr-2 pl-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <Autocomplete.Input
          ref={input}
          aria-label="Search"
          placeholder={placeholder}
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
        <FoundState found={found} property={selectedProperty} text={text.trim()} />
      </div>
      <Autocomplete.Status className="sr-only">{`${count} ${count === 1 ? 'result' : 'results'}`}</Autocomplete.Status>
      <p aria-hidden className="flex shrink-0 items-center gap-1.5 border-t border-line px-4 py-2 text-xs text-muted max-sm:hidden">
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd>
        <span className="mr-3">to move</span>
        <Kbd>Enter</Kbd>
        <span className="mr-3">to open</span>
        <Kbd>Esc</Kbd>
        <span>to close</span>
        <span className="ml-auto">Clicks, last 28 complete days</span>
      </p>
    </Autocomplete.Root>
  )
}
