import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bookmark, ListFilter, Pencil, Save, Trash2, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { readFilters, writeFilters } from '../../../contract/explore/explore.ts'
import { type HistoryRange, writeRange } from '../../../contract/range.ts'
import type { NewSaved, Saved, SavedKind } from '../../../contract/explore/saved.ts'
import { failureText } from '../../api/client.ts'
import { keepExploration, removeSaved, renameSaved, savedQuery } from '../../api/explore.ts'
import { paths } from '../../paths.ts'
import { Button, buttonClass, IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { type ExploreView, isAnswered, type ShowExplored } from './explore-view.ts'

type SavedMenuProps = { view: ExploreView; show: ShowExplored }

/** The active segment, and others to choose; those that no stored figures answer can't be chosen. */
export function SegmentMenu({ view, show }: SavedMenuProps) {
  const segments = useSaved('segment')
  const { isPending } = useQuery(savedQuery)
  const [open, setOpen] = useState<'new' | 'all' | null>(null)
  const chosen = segments.find(({ id }) => id === view.segment)
  const name = chosen?.name ?? (isPending ? '…' : 'Unknown segment')
  return (
    <>
      <div className="flex max-w-full min-w-0 items-center">
        <Menu
          label={view.segment === '' ? 'Segments' : `Segment: ${name}`}
          align="start"
          triggerClass={buttonClass('secondary', view.segment === '' ? 'min-w-0' : 'min-w-0 rounded-r-none! border-r-0!')}
          trigger={
            <>
              <ListFilter aria-hidden />
              {/* As wide before its name is known as after, so that the filters don't move. */}
              <span className={view.segment === '' ? 'truncate' : 'w-36 truncate text-left'}>
                {view.segment === '' ? 'Segments' : name}
              </span>
            </>
          }
          entries={[
            ...segments.map(({ id, name: label, content }) => ({
              kind: 'action' as const,
              label,
              icon: <ListFilter aria-hidden />,
              disabled: id !== view.segment && !isAnswered({ ...view, segmentFilters: readFilters(content).filters }),
              onSelect: () => show({ segment: id }),
            })),
            ...(segments.length === 0 ? [{ kind: 'note' as const, label: 'A segment is a named set of filters' }] : []),
            // A segment whose filters are unknown can't become part of another one.
            ...(view.filters.length === 0 || (view.segment !== '' && chosen === undefined)
              ? []
              : [
                  {
                    kind: 'action' as const,
                    label: 'Save filters as segment…',
                    icon: <Save aria-hidden />,
                    separated: true,
                    onSelect: () => setOpen('new'),
                  },
                ]),
            ...manageEntry('segments', segments, () => setOpen('all')),
          ]}
        />
        {view.segment !== '' && (
          <button
            type="button"
            aria-label={`Remove segment: ${name}`}
            className="control-square flex shrink-0 items-center justify-center rounded-r-control border border-line-control bg-surface text-muted hover:bg-sunken hover:text-text"
            onClick={() => show({ segment: '' })}
          >
            <X aria-hidden className="size-4" />
          </button>
        )}
      </div>
      <Dialog open={open === 'new'} onOpenChange={() => setOpen(null)} title="Save filters as segment">
        <NameForm
          label="Segment name"
          given={{ kind: 'segment', content: writeFilters([...view.segmentFilters, ...view.filters]) }}
          onDone={({ id }) => {
            show({ segment: id, filters: [] })
            setOpen(null)
          }}
        />
      </Dialog>
      <Dialog open={open === 'all'} onOpenChange={() => setOpen(null)} title="Segments">
        <SavedList saved={segments} onRemoved={(id) => id === view.segment && show({ segment: '' })} />
      </Dialog>
    </>
  )
}

/** Saved views, and saving the current one: its URL, property and days included. */
export function ViewMenu({ range }: Pick<ExploreView, 'range'>) {
  const views = useSaved('view')
  const navigate = useNavigate()
  const { search } = useLocation()
  const [open, setOpen] = useState<'new' | 'all' | null>(null)
  return (
    <>
      <Menu
        label="Views"
        triggerClass={buttonClass()}
        trigger={
          <>
            <Bookmark aria-hidden />
            Views
          </>
        }
        entries={[
          ...views.map(({ name, content }) => ({
            kind: 'action' as const,
            label: name,
            icon: <Bookmark aria-hidden />,
            onSelect: () => void navigate({ pathname: paths.explore, search: content }),
          })),
          {
            kind: 'action',
            label: 'Save this view…',
            icon: <Save aria-hidden />,
            separated: views.length > 0,
            onSelect: () => setOpen('new'),
          },
          ...manageEntry('views', views, () => setOpen('all')),
        ]}
      />
      <Dialog open={open === 'new'} onOpenChange={() => setOpen(null)} title="Save this view">
        <NameForm
          label="View name"
          given={{ kind: 'view', content: withRange(search, range) }}
          onDone={({ name }) => {
            toast.success('View Saved', name)
            setOpen(null)
          }}
        />
      </Dialog>
      <Dialog open={open === 'all'} onOpenChange={() => setOpen(null)} title="Views">
        <SavedList saved={views} onRemoved={() => {}} />
      </Dialog>
    </>
  )
}

/** Names the days even if they are the default, which the URL may leave out. */
function withRange(search: string, range: HistoryRange): string {
  const query = new URLSearchParams(search)
  query.set('range', writeRange(range))
  return query.toString()
}

const none: readonly Saved[] = []

function useSaved(kind: SavedKind): readonly Saved[] {
  const { data = none } = useQuery(savedQuery)
  return data.filter((each) => each.kind === kind)
}

const manageEntry = (what: string, saved: readonly Saved[], onSelect: () => void) =>
  saved.length === 0 ? [] : [{ kind: 'action' as const, label: `Manage ${what}…`, icon: <Pencil aria-hidden />, onSelect }]

/** Saves something under a name, or shows why it can't. */
function NameForm({ label, given, onDone }: { label: string; given: Pick<NewSaved, 'kind' | 'content'>; onDone: (saved: Saved) => void }) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const save = useMutation({
    mutationFn: () => keepExploration({ ...given, name }),
    onSuccess: (saved) => {
      client.setQueryData(savedQuery.queryKey, (known = []) => [...known, saved])
      void client.invalidateQueries(savedQuery)
      onDone(saved)
    },
  })
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Field
        label={label}
        autoComplete="off"
        maxLength={80}
        value={name}
        error={save.error === null ? undefined : failureText(save.error)}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" disabled={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}

function SavedList({ saved, onRemoved }: { saved: readonly Saved[]; onRemoved: (id: string) => void }) {
  return saved.length === 0 ? (
    <p className="text-muted">Nothing saved yet. Use the menu to save the current filters or view.</p>
  ) : (
    <ul className="divide-y divide-line">
      {saved.map((each) => (
        <SavedRow key={each.id} saved={each} onRemoved={onRemoved} />
      ))}
    </ul>
  )
}

/** Renamed in place. */
function SavedRow({ saved: { id, name }, onRemoved }: { saved: Saved; onRemoved: (id: string) => void }) {
  const client = useQueryClient()
  const [typed, setTyped] = useState<string | null>(null)
  const reload = () => client.invalidateQueries(savedQuery)
  const rename = useMutation({
    mutationFn: renameSaved,
    onSuccess: async () => {
      await reload()
      setTyped(null)
    },
  })
  const remove = useMutation({
    mutationFn: removeSaved,
    onSuccess: async () => {
      onRemoved(id)
      await reload()
    },
    onError: (error) => toast.error('Not Deleted', failureText(error)),
  })
  if (typed !== null) {
    return (
      <li className="py-2">
        <form
          noValidate
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            rename.mutate({ id, name: typed })
          }}
        >
          <div className="min-w-0 grow">
            <Field
              label="New name"
              autoComplete="off"
              maxLength={80}
              value={typed}
              error={rename.error === null ? undefined : failureText(rename.error)}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </div>
          <Button type="submit" disabled={rename.isPending}>
            Rename
          </Button>
        </form>
      </li>
    )
  }
  return (
    <li className="flex items-center gap-1 py-1">
      <span className="min-w-0 grow wrap-anywhere">{name}</span>
      <IconButton aria-label={`Rename ${name}`} className="text-muted!" onClick={() => setTyped(name)}>
        <Pencil aria-hidden />
      </IconButton>
      <IconButton aria-label={`Delete ${name}`} className="text-muted!" disabled={remove.isPending} onClick={() => remove.mutate(id)}>
        <Trash2 aria-hidden />
      </IconButton>
    </li>
  )
}
