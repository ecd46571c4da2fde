import { LoadProblem } from './LoadProblem.tsx'

/** The alerts of a property that could not be loaded. */
export function AlertsProblem(props: { property: string; error: Error; onRetry: () => void }) {
  return <LoadProblem what="alerts" {...props} />
}
