import type { Diagnostic, DiagnosticId } from '../../../contract/support.ts'
import { Dimmed } from '../../ui/Dimmed.tsx'

type DiagnosticsProps = {
  all: readonly Diagnostic[]
  /** Those that are not to be told. */
  left: ReadonlySet<DiagnosticId>
  outdated: boolean
  onLeave: (id: DiagnosticId, isLeft: boolean) => void
}

/** What is told of the account with a message: every word of it, each to be left out. */
export function Diagnostics({ all, left, outdated, onLeave }: DiagnosticsProps) {
  return (
    <fieldset>
      <legend className="font-medium">Included with your message</legend>
      <p className="mt-1 text-sm text-muted">Uncheck anything you'd rather not share.</p>
      <Dimmed when={outdated}>
        <ul className="mt-2 divide-y divide-line rounded-control border border-line">
          {all.map(({ id, label, value }) => (
            <li key={id}>
              <label className="grid min-h-11 cursor-pointer grid-cols-[auto_1fr] items-start gap-x-3 px-3 py-2.5 sm:grid-cols-[auto_12rem_1fr]">
                <input
                  type="checkbox"
                  className="mt-1 size-4 accent-brand"
                  checked={!left.has(id)}
                  onChange={(event) => onLeave(id, !event.currentTarget.checked)}
                />
                <span className="text-muted">{label}</span>{' '}
                <span className="col-start-2 min-w-0 wrap-anywhere sm:col-start-3">{value}</span>
              </label>
            </li>
          ))}
        </ul>
      </Dimmed>
    </fieldset>
  )
}
