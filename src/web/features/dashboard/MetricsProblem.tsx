import { ChartNoAxesColumn } from 'lucide-react'
import { Link } from 'react-router'
import { failureText } from '../../api/client.ts'
import { connectGoogle } from '../../lib/connect-google.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'

export function MetricsError({ property, error, onRetry }: { property: string; error: Error; onRetry: () => void }) {
  const connected = useCurrentUser().accessToken !== null
  return (
    <Card>
      <ErrorState
        title="Unable to load Search Console data"
        actions={
          <>
            <Button variant="primary" onClick={onRetry}>
              Try again
            </Button>
            {!connected && <ConnectButton variant="secondary" />}
          </>
        }
      >
        <p>Please authenticate with Google Search Console to view metrics</p>
        <p className="mt-2 text-sm break-words">
          {property}: {failureText(error, error.message)}
        </p>
      </ErrorState>
    </Card>
  )
}

export function MetricsEmpty() {
  const { accessToken } = useCurrentUser()
  return (
    <Card>
      <EmptyState
        icon={<ChartNoAxesColumn aria-hidden />}
        title="No Search Console data available"
        actions={
          <>
            <Link to={paths.selectSites} className={buttonClass('primary')}>
              Select a property
            </Link>
            {accessToken === null && <ConnectButton variant="secondary" />}
          </>
        }
      >
        Please select a property and ensure you have access to Search Console data
      </EmptyState>
    </Card>
  )
}

function ConnectButton({ variant }: { variant: 'primary' | 'secondary' }) {
  return (
    <Button variant={variant} onClick={() => connectGoogle('/dashboard')}>
      Connect Search Console
    </Button>
  )
}
