import { LoadProblem } from './LoadProblem.tsx'

/** Shown if a property's alerts could not be loaded. */
export function AlertsProblem(props: { property: string; error: Error; onRetry: () => void }) {
  return <LoadProblem what="alerts" {...props} />
}
