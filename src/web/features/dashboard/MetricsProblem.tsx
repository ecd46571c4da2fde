import { ChartNoAxesColumn } from 'lucide-react'
import { Link } from 'react-router'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { typeLabels } from '../../../core/analytics/exploration.ts'
import { ApiFailure, failureText } from '../../api/client.ts'
import { connectGoogle } from '../../shell/connect-google.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { useHistoryView } from './history/use-history-view.ts'

/** Only mentions missing access if the server or Google refused it (OPEN-POINTS 23), not if a server failed or was unreachable. */
export function MetricsError({ property, error, onRetry }: { property: string; error: Error; onRetry: () => void }) {
  const connected = useCurrentUser().accessToken !== null
  if (error instanceof ApiFailure && error.problem?.field === 'segment') {
    return (
      <Card>
        <ErrorState title={error.problem.message} actions={<WholeSite />}>
          {null}
        </ErrorState>
      </Card>
    )
  }
  const isOfGoogle = error instanceof ApiFailure && (error.status < 500 || (error.status === 502 && error.problem !== null))
  return (
    <Card>
      <ErrorState
        title="Unable to load Search Console data"
        actions={
          <>
            <Button variant="primary" onClick={onRetry}>
              Try again
            </Button>
            <WholeSite />
            {!connected && <ConnectButton back={paths.dashboard} />}
          </>
        }
      >
        {isOfGoogle && <p className="mb-2">Please authenticate with Google Search Console to view metrics</p>}
        <p className="wrap-anywhere">
          {propertyName(property)}: {failureText(error)}
        </p>
      </ErrorState>
    </Card>
  )
}

/** There are no figures: of the chosen search type, or none at all yet. */
export function MetricsEmpty() {
  const [{ type }, show] = useHistoryView()
  if (type === 'web') return <NothingYet />
  return (
    <Card>
      <EmptyState
        icon={<ChartNoAxesColumn aria-hidden />}
        title="No data for this search type"
        actions={
          <>
            <Button variant="primary" onClick={() => show({ type: 'web' })}>
              Show web search
            </Button>
            <WholeSite />
          </>
        }
      >
        <p>This property has no data for the “{typeLabels[type]}” search type.</p>
      </EmptyState>
    </Card>
  )
}

/** Also continues an unfinished setup, in any browser, with what is missing. */
function NothingYet() {
  const { accessToken, planChosen, selectedProperty, sitesMonitored, sitesPaused } = useCurrentUser()
  const isHalfWay = selectedProperty === null && sitesMonitored + sitesPaused === 0
  const needsPlan = isHalfWay && !planChosen
  return (
    <Card>
      <EmptyState
        icon={<ChartNoAxesColumn aria-hidden />}
        title="No Search Console data available"
        actions={
          <>
            <Link to={needsPlan ? paths.choosePlan : paths.selectSites} className={buttonClass('primary')}>
              {needsPlan ? 'Choose a plan' : 'Select a property'}
            </Link>
            <WholeSite />
            {accessToken === null && !needsPlan && <ConnectButton back={isHalfWay ? paths.selectSites : paths.dashboard} />}
          </>
        }
      >
        <p>Please select a property and ensure you have access to Search Console data</p>
        {isHalfWay && (
          <p className="mt-2">
            Your setup isn’t finished. Next:{' '}
            {needsPlan ? 'choose a plan' : accessToken === null ? 'connect Google Search Console' : 'choose the sites to monitor'}.
          </p>
        )}
      </EmptyState>
    </Card>
  )
}

function ConnectButton({ back }: { back: '/dashboard' | '/onboarding/sites' }) {
  return <Button onClick={() => connectGoogle(back)}>Connect Search Console</Button>
}

/** The way back from a segment that has no figures here, or is gone. */
function WholeSite() {
  const [{ segment }, show] = useHistoryView()
  return segment !== '' && <Button onClick={() => show({ segment: '' })}>Show the whole site</Button>
}
