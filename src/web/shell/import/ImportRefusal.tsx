import { CircleAlert } from 'lucide-react'
import { failureText, NoAnswer } from '../../api/client.ts'
import { ImportFailure } from '../../api/import.ts'

/** Why a file was refused, and where in it. */
export function ImportRefusal({ error, fileName }: { error: Error; fileName: string | null }) {
  const refusal = error instanceof ImportFailure ? error.refusal : null
  // Without a line the reason may lie outside of the file, such as a full plan.
  const file = refusal?.file ?? (refusal?.line === undefined ? null : fileName)
  return (
    <div role="alert" className="flex items-start gap-2.5 rounded-control bg-critical-soft p-3">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-critical" />
      <div className="min-w-0 break-words">
        <p className="font-semibold">Nothing was imported</p>
        <p>
          {file !== null && `${file}`}
          {refusal?.line !== undefined && `, line ${refusal.line}`}
          {file !== null && ': '}
          {refusal?.message ??
            failureText(error, error instanceof NoAnswer ? 'The upload was interrupted. Check your connection and try again.' : undefined)}
        </p>
      </div>
    </div>
  )
}
