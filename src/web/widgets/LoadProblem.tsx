import type { ReactNode } from 'react'
import { propertyName } from '../../core/accounts/property-name.ts'
import { failureText } from '../api/client.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'

type LoadFailureProps = {
  title: string
  error: unknown
  onRetry: () => void
  /** By default what failed. */ children?: ReactNode
}

/** Shown if something could not be loaded: what happened, and how to continue. */
export function LoadFailure({ title, error, onRetry, children = failureText(error) }: LoadFailureProps) {
  return (
    <ErrorState
      title={title}
      actions={
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {children}
    </ErrorState>
  )
}

type LoadProblemProps = {
  /** `alerts`, `keywords`: what was requested. */ what: string
  property: string
  error: Error
  onRetry: () => void
}

/** Shown if a property's data could not be loaded: also for which property. */
export function LoadProblem({ what, property, error, onRetry }: LoadProblemProps) {
  return (
    <LoadFailure title={`Unable to load ${what}`} error={error} onRetry={onRetry}>
      <p className="wrap-anywhere">
        {propertyName(property)}: {failureText(error)}
      </p>
    </LoadFailure>
  )
}

/** Shown if a property's alerts could not be loaded. */
export function AlertsProblem(props: { property: string; error: Error; onRetry: () => void }) {
  return <LoadProblem what="alerts" {...props} />
}
