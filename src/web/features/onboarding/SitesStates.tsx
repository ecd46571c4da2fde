import { Globe } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { failureText } from '../../api/client.ts'
import { connectGoogle } from '../../shell/connect-google.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { ImportForm } from '../../shell/import/ImportForm.tsx'
import { pausedWords } from '../../shell/plans.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useMonitorSites } from './select-sites.tsx'

export function SitesLoading() {
  return (
    <div>
      <output className="mb-3 block text-muted">Loading your website properties...</output>
      <div className="flex flex-col gap-2">
        <Skeleton className="h-11" />
        <Skeleton className="h-11" />
        <Skeleton className="h-11" />
      </div>
    </div>
  )
}

export function SitesEmpty({ onRetry }: { onRetry: () => void }) {
  return (
    <EmptyState
      icon={<Globe aria-hidden />}
      title="No Properties Found"
      actions={
        <>
          <a href="https://search.google.com/search-console" target="_blank" rel="noreferrer" className={buttonClass('primary')}>
            Open Google Search Console
          </a>
          <Button onClick={onRetry}>Check again</Button>
        </>
      }
    >
      Your Google account has no Search Console properties yet. Add your site there, then come back.
    </EmptyState>
  )
}

/** The list failed to load: reconnect, or enter the site manually. */
export function SitesUnavailable({ error }: { error: Error }) {
  const [url, setUrl] = useState('')
  const monitor = useMonitorSites()
  // It replaces Google's sites; nobody can untick the imported ones here.
  const { gscProperties } = useCurrentUser()
  const imported = (gscProperties ?? []).filter(({ kind, monitored }) => kind === 'imported' && monitored).map(({ name }) => name)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const site = url.trim()
    if (site !== '') monitor.mutate([...new Set([site, ...imported])])
  }

  return (
    <>
      <ErrorState
        title="Unable to Load Properties"
        actions={
          <Button variant="primary" onClick={() => connectGoogle('/onboarding/sites')}>
            Reconnect Google Search Console
          </Button>
        }
      >
        <p>There was an issue accessing your Google Search Console data.</p>
        <p className="mt-2 text-sm break-words">{failureText(error)}</p>
      </ErrorState>
      <form className="flex flex-col gap-3 border-t border-line pt-5 sm:flex-row" onSubmit={submit}>
        <div className="flex-1">
          <Field
            label="Or enter the site's URL"
            type="url"
            placeholder="https://www.example.com/"
            value={url}
            error={monitor.isError ? failureText(monitor.error, 'Failed to save property selection') : undefined}
            onChange={(event) => {
              setUrl(event.currentTarget.value)
              monitor.reset()
            }}
          />
        </div>
        {/* Aligned with the input, whatever is shown below it. */}
        <Button type="submit" className="sm:mt-6.5" disabled={monitor.isPending}>
          {monitor.isPending ? 'Completing Setup...' : 'Use this site'}
        </Button>
      </form>
    </>
  )
}

/** The two ways in: Google's own data, or an exported file. */
export function ConnectCard() {
  return (
    <>
      <SectionCard
        title="Connect Google Search Console"
        description="Ranklark can read your properties' data but can't change anything. One click, nothing to install."
      >
        <Button variant="primary" onClick={() => connectGoogle('/onboarding/sites')}>
          Connect Google Search Console
        </Button>
      </SectionCard>
      <SectionCard title="Or import a file" description="Create a property from a Search Console export.">
        <ImportForm />
      </SectionCard>
    </>
  )
}

/** After a lower limit took effect: the owner chooses what stays. */
export function PausedNote() {
  const user = useCurrentUser()
  if (user.sitesPaused === 0) return null
  return (
    <section aria-label="Paused sites" className="mb-5 rounded-card border border-line bg-warning-soft p-4">
      <p>
        <strong className="font-semibold">{pausedWords(user)}</strong> Select the sites to monitor. The others keep their data and pick up
        where they left off when you select them again.
      </p>
    </section>
  )
}
