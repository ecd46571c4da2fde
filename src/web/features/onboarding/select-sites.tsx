import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type SubmitEvent, useId, useLayoutEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Property } from '../../../contract/user.ts'
import { isChoosable, isReadable } from '../../../core/accounts/site-access.ts'
import { siteLimitWords } from '../../../core/billing/offer.ts'
import { counted } from '../../../core/words.ts'
import { ApiFailure, failureText } from '../../api/client.ts'
import { gscPropertiesQuery, monitorSites } from '../../api/gsc-properties.ts'
import { showUser } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'

export function SelectSitesForm({ properties }: { properties: readonly Property[] }) {
  const user = useCurrentUser()
  const { flow, dispatch } = usePurchaseFlow()
  const monitor = useMonitorSites()
  // In the order of selection: the first one becomes the selected property.
  const [ticked, setTicked] = useState(
    () => chosenBefore(properties, flow.selectedSites) ?? monitoredNow(properties, user.selectedProperty),
  )
  // What has been monitored since, such as an import on this page, would be dropped if it were saved unticked.
  const [seen, setSeen] = useState(properties)
  if (seen !== properties) {
    const before = new Set(monitoredNow(seen, null))
    setSeen(properties)
    setTicked([...new Set([...ticked, ...monitoredNow(properties, null).filter((name) => !before.has(name))])])
  }
  // Sites that Google no longer gives access to can't be selected anymore.
  const locked = useMemo(() => new Set(properties.filter((each) => !isChoosable(each)).map(({ name }) => name)), [properties])
  const chosen = useMemo(() => ticked.filter((name) => !locked.has(name)), [ticked, locked])
  // Together with the tick, so that a reload right after it keeps it.
  useLayoutEffect(() => dispatch({ type: 'sitesChosen', sites: chosen }), [chosen, dispatch])
  const limit = user.siteLimit ?? Infinity
  const full = chosen.length >= limit
  const choosable = properties.filter(({ name }) => !locked.has(name)).map(({ name }) => name)
  const title = useId()

  function refuse() {
    toast.error('Site Limit Reached', siteLimitWords(user.plan, limit))
  }

  function toggle(name: string) {
    if (chosen.includes(name)) setTicked(chosen.filter((other) => other !== name))
    else if (full) refuse()
    else setTicked([...chosen, name])
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (chosen.length === 0) toast.error('No Sites Selected', 'Please select at least one site to monitor.')
    else if (chosen.length > limit) refuse()
    else monitor.mutate(chosen)
  }

  return (
    <form onSubmit={submit}>
      <fieldset className="min-w-0" aria-labelledby={title}>
        <div className="mb-3 flex min-h-10 items-center justify-between gap-3">
          <span id={title} className="font-medium tabular-nums">
            {user.siteLimit === null
              ? `${chosen.length} of ${counted(properties.length, 'site')} selected`
              : `Select ${chosen.length}/${user.siteLimit} sites`}
          </span>
          {choosable.length > 1 && choosable.length <= limit && (
            <Button disabled={chosen.length === choosable.length} onClick={() => setTicked([...new Set([...chosen, ...choosable])])}>
              Select all
            </Button>
          )}
        </div>
        <ul className="flex flex-col gap-2">
          {properties.map((property) => {
            const checked = chosen.includes(property.name)
            return (
              <li key={property.id}>
                <SiteCheckbox
                  property={property}
                  checked={checked}
                  disabled={locked.has(property.name) || (full && !checked)}
                  onToggle={() => toggle(property.name)}
                  onRefused={() => {
                    if (!locked.has(property.name)) refuse()
                  }}
                />
              </li>
            )
          })}
        </ul>
      </fieldset>
      {!properties.every(isReadable) && <NoAccessNote />}
      <Button type="submit" variant="primary" className="mt-5 w-full" disabled={monitor.isPending}>
        {monitor.isPending ? 'Completing Setup...' : 'Complete Setup'}
      </Button>
    </form>
  )
}

function NoAccessNote() {
  const client = useQueryClient()
  return (
    <p className="mt-3 text-sm text-muted">
      Your Google account has no access to some of these sites. Verify ownership in Search Console or ask an owner to add you, then{' '}
      <button
        type="button"
        className="font-medium text-brand hover:underline"
        onClick={() => void client.invalidateQueries(gscPropertiesQuery)}
      >
        check again
      </button>
      .
    </p>
  )
}

/** Sites ticked during the setup, before a reload or Google's page. */
function chosenBefore(properties: readonly Property[], sites: readonly string[]): string[] | null {
  const known = sites.filter((site) => properties.some(({ name }) => name === site))
  return known.length > 0 ? known : null
}

/** Sites already monitored, the selected property first: saving without a change doesn't select another one. */
function monitoredNow(properties: readonly Property[], selected: string | null): string[] {
  const names = properties.filter((property) => property.monitored).map((property) => property.name)
  return names.toSorted((a, b) => Number(b === selected) - Number(a === selected))
}

type SiteCheckboxProps = {
  property: Property
  checked: boolean
  disabled: boolean
  onToggle: () => void
  /** Somebody pressed a disabled box. */
  onRefused: () => void
}

function SiteCheckbox({ property, checked, disabled, onToggle, onRefused }: SiteCheckboxProps) {
  return (
    // A disabled box swallows its own clicks; its wrapper doesn't.
    <div
      role="presentation"
      onClick={() => {
        if (disabled) onRefused()
      }}
    >
      <label
        className={clsx(
          'flex min-h-11 items-center gap-3 rounded-control border px-3 py-2 transition-colors duration-150',
          checked ? 'border-brand bg-brand-soft' : 'border-line',
          disabled ? 'cursor-not-allowed text-muted' : 'cursor-pointer hover:border-line-control',
        )}
      >
        <input type="checkbox" className="size-4 shrink-0 accent-brand" checked={checked} disabled={disabled} onChange={onToggle} />
        <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="max-w-full break-words">{property.name}</span>
          {property.kind === 'imported' && <span className="text-sm text-muted">Imported</span>}
          {property.paused && !checked && <Badge tone="warning">Paused</Badge>}
          {!isReadable(property) && <Badge tone="warning">No access</Badge>}
        </span>
      </label>
    </div>
  )
}

/** Monitors these sites from now on, completes the setup, and opens the dashboard of the first. */
export function useMonitorSites() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { dispatch } = usePurchaseFlow()
  return useMutation({
    mutationFn: monitorSites,
    onSuccess: async (user, sites) => {
      await showUser(client, user)
      void client.invalidateQueries(gscPropertiesQuery)
      await navigate(paths.dashboard)
      dispatch({ type: 'sitesChosen', sites })
      dispatch({ type: 'completed' })
    },
    onError: (error) => {
      // The list on screen was current a moment ago; there may be none, for somebody who typed the site.
      const isOnScreen = client.getQueryData(gscPropertiesQuery.queryKey) !== undefined
      if (isOnScreen && error instanceof ApiFailure && error.status === 403) void client.invalidateQueries(gscPropertiesQuery)
      toast.error('Error', failureText(error, 'Failed to save property selection'))
    },
  })
}
