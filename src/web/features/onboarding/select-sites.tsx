import { useQueryClient } from '@tanstack/react-query'
import { useId, useLayoutEffect, useMemo, useState, type SubmitEvent } from 'react'
import type { Property } from '../../../contract/user.ts'
import { isChoosable, isReadable } from '../../../core/accounts/site-access.ts'
import { siteLimitWords } from '../../../core/billing/offer.ts'
import { gscPropertiesQuery } from '../../api/gsc-properties.ts'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { SiteCheckbox } from './SiteCheckbox.tsx'
import { useMonitorSites } from './use-monitor-sites.ts'

export function SelectSitesForm({ properties }: { properties: readonly Property[] }) {
  const user = useCurrentUser()
  const { flow, tell } = usePurchaseFlow()
  const monitor = useMonitorSites()
  // In the order of choosing: the first one becomes the selected property.
  const [ticked, setTicked] = useState(
    () => chosenBefore(properties, flow.selectedSites) ?? monitoredNow(properties, user.selectedProperty),
  )
  // What Google no longer gives access to is no choice any more.
  const locked = useMemo(() => new Set(properties.filter((each) => !isChoosable(each)).map(({ name }) => name)), [properties])
  const chosen = useMemo(() => ticked.filter((name) => !locked.has(name)), [ticked, locked])
  // With the tick itself, so that a reload right after it finds it kept.
  useLayoutEffect(() => tell({ type: 'sitesChosen', sites: chosen }), [chosen, tell])
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
              ? `${chosen.length} of ${properties.length} sites selected`
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

/** What was ticked on the way through the setup, before a reload or Google's page. */
function chosenBefore(properties: readonly Property[], sites: readonly string[]): string[] | null {
  const known = sites.filter((site) => properties.some(({ name }) => name === site))
  return known.length > 0 ? known : null
}

/** What is watched already, the selected property first: saving without a change selects no other one. */
function monitoredNow(properties: readonly Property[], selected: string | null): string[] {
  const names = properties.filter((property) => property.monitored).map((property) => property.name)
  return names.toSorted((a, b) => Number(b === selected) - Number(a === selected))
}
