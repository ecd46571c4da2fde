import { useState, type SubmitEvent } from 'react'
import { failureText } from '../../api/client.ts'
import { connectGoogle } from '../../lib/connect-google.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { useMonitorSites } from './use-monitor-sites.ts'

/** The list could not be had: connect again, or name the site oneself. */
export function SitesUnavailable({ error }: { error: Error }) {
  const [url, setUrl] = useState('')
  const monitor = useMonitorSites()

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const site = url.trim()
    if (site !== '') monitor.mutate([site])
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
            label="Or enter the site's address"
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
        {/* In line with the input, whatever is said below that. */}
        <Button type="submit" className="sm:mt-6.5" disabled={monitor.isPending}>
          {monitor.isPending ? 'Completing Setup...' : 'Use this site'}
        </Button>
      </form>
    </>
  )
}
