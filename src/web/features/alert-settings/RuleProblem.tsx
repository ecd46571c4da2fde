import { WarningNote } from '../../ui/WarningNote.tsx'

/** Why a rule could not be judged the last time. */
export function RuleProblem({ children }: { children: string }) {
  return <WarningNote className="mt-3">{children}</WarningNote>
}
