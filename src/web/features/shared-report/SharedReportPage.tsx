import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { ApiFailure, failureText } from '../../api/client.ts'
import { sharedReportQuery } from '../../api/reports.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { ReportLoading } from '../../widgets/report/ReportLoading.tsx'
import { SharedReportView } from './SharedReportView.tsx'

/** A report for whoever has its link. Standalone: nothing here links into the app. */
export function SharedReportPage() {
  const { token = '' } = useParams()
  const { data, error, refetch } = useQuery(sharedReportQuery(token))
  return (
    <>
      <meta name="robots" content="noindex, nofollow" />
      {data !== undefined ? (
        <SharedReportView token={token} shared={data} />
      ) : (
        <main className="mx-auto w-full max-w-[80rem] px-4 py-8 sm:px-6">
          <title>Report</title>
          {error === null ? (
            <>
              <h1 className="sr-only">Report</h1>
              <ReportLoading />
            </>
          ) : isGone(error) ? (
            <Gone />
          ) : (
            <Card>
              <h1 className="sr-only">Report</h1>
              <ErrorState
                title="Couldn't load the report"
                actions={
                  <Button variant="primary" onClick={() => void refetch()}>
                    Try again
                  </Button>
                }
              >
                {failureText(error)}
              </ErrorState>
            </Card>
          )}
        </main>
      )}
    </>
  )
}

const isGone = (error: Error): boolean => error instanceof ApiFailure && error.status === 404

/** Expired, revoked, or mistyped: doesn't say which. */
function Gone() {
  return (
    <Card className="mx-auto mt-[15dvh] max-w-md text-center">
      <h1 className="text-title font-semibold">This link doesn't work</h1>
      <p className="mt-2 text-muted">This link expired, was revoked or is incomplete. Ask the person who sent it for a new one.</p>
    </Card>
  )
}
