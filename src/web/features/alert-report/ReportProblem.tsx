import { SearchX } from 'lucide-react'
import { Link } from 'react-router'
import { ApiFailure, failureText } from '../../api/client.ts'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'

/** An address of no alert, or of somebody else's: the server does not say which. */
export const isUnknown = (error: Error): boolean => error instanceof ApiFailure && (error.status === 404 || error.status === 400)

export function ReportUnknown() {
  return (
    <Card>
      <h1 className="sr-only">Alert report</h1>
      <EmptyState
        icon={<SearchX aria-hidden />}
        title="Alert not found"
        actions={
          <>
            <Link to={paths.alerts} className={buttonClass('primary')}>
              Back to Active Alerts
            </Link>
            <Link to={paths.alertHistory} className={buttonClass('secondary')}>
              Alert History
            </Link>
          </>
        }
      >
        This alert doesn't exist or isn't yours. It may have been deleted with its property, or belong to another account.
      </EmptyState>
    </Card>
  )
}

export function ReportProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Card>
      <h1 className="sr-only">Alert report</h1>
      <ErrorState
        title="The report could not be loaded"
        actions={
          <Button variant="primary" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        {failureText(error)}
      </ErrorState>
    </Card>
  )
}
