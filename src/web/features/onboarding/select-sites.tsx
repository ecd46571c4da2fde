import { useLayoutEffect, useState, type SubmitEvent } from 'react'
import type { Property } from '../../../contract/user.ts'
import { siteLimitWords } from '../../../core/billing/offer.ts'
import { usePurchaseFlow } from '../../lib/purchase-flow-context.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import { SiteCheckbox } from './SiteCheckbox.tsx'
import { useMonitorSites } from './use-monitor-sites.ts'

export function SelectSitesForm({ properties }: { properties: readonly Property[] }) {
  const user = useCurrentUser()
  const { flow, tell } = usePurchaseFlow()
  const monitor = useMonitorSites()
  // In the order of choosing: the first one becomes the selected property.
  const [chosen, setChosen] = useState(
    () => chosenBefore(properties, flow.selectedSites) ?? monitoredNow(properties, user.selectedProperty),
  )
  // With the tick itself, so that a reload right after it finds it kept.
  useLayoutEffect(() => tell({ type: 'sitesChosen', sites: chosen }), [chosen, tell])
  const limit = user.siteLimit ?? Infinity
  const full = chosen.length >= limit

  function refuse() {
    toast.error('Site Limit Reached', siteLimitWords(user.plan, limit))
  }

  function toggle(name: string) {
    if (chosen.includes(name)) setChosen(chosen.filter((other) => other !== name))
    else if (full) refuse()
    else setChosen([...chosen, name])
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (chosen.length === 0) toast.error('No Sites Selected', 'Please select at least one site to monitor.')
    else if (chosen.length > limit) refuse()
    else monitor.mutate(chosen)
  }

  return (
    <form onSubmit={submit}>
      <fieldset className="min-w-0">
        <legend className="mb-3 font-medium tabular-nums">
          {user.siteLimit === null
            ? `${chosen.length} of ${properties.length} sites selected`
            : `Select ${chosen.length}/${user.siteLimit} sites`}
        </legend>
        <ul className="flex flex-col gap-2">
          {properties.map((property) => {
            const checked = chosen.includes(property.name)
            return (
              <li key={property.id}>
                <SiteCheckbox
                  property={property}
                  checked={checked}
                  disabled={full && !checked}
                  onToggle={() => toggle(property.name)}
                  onRefused={refuse}
                />
              </li>
            )
          })}
        </ul>
      </fieldset>
      <Button type="submit" variant="primary" className="mt-5 w-full" disabled={monitor.isPending}>
        {monitor.isPending ? 'Completing Setup...' : 'Complete Setup'}
      </Button>
    </form>
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
