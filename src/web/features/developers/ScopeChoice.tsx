import { useId } from 'react'
import { Link } from 'react-router'
import type { ApiScope } from '../../../contract/api-keys.ts'
import { paths } from '../../paths.ts'

type ScopeChoiceProps = {
  value: ApiScope
  onChange: (scope: ApiScope) => void
  /** Why a key may not change things. */
  writeLocked: string | null
  error?: string | undefined
}

const choices = [
  { scope: 'read', label: 'Read only', about: 'View data, alerts, rules and notes' },
  { scope: 'write', label: 'Read and write', about: 'Also acknowledge and snooze alerts, and edit rules and notes' },
] as const

/** What a key may do. */
export function ScopeChoice({ value, onChange, writeLocked, error }: ScopeChoiceProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={writeLocked === null ? undefined : id} className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1.5 font-medium">Permissions</legend>
      {choices.map(({ scope, label, about }) => (
        <div key={scope}>
          <label className="flex min-h-10 items-center gap-3 font-medium has-disabled:text-muted lg:min-h-8">
            <input
              type="radio"
              name={`${id}-scope`}
              aria-describedby={`${id}-${scope}`}
              className="size-4 shrink-0 accent-brand"
              checked={value === scope}
              disabled={scope === 'write' && writeLocked !== null}
              onChange={() => onChange(scope)}
            />
            {label}
          </label>
          <p id={`${id}-${scope}`} className="-mt-1 pl-7 text-sm text-muted">
            {about}
          </p>
        </div>
      ))}
      {writeLocked !== null && (
        <p className="mt-2 flex flex-wrap items-center gap-x-3 text-sm">
          <span id={id}>{writeLocked}</span>
          <Link to={paths.settings} className="inline-flex min-h-10 items-center font-medium text-brand hover:underline">
            See plans
          </Link>
        </p>
      )}
      {error !== undefined && (
        <p role="alert" className="text-sm text-critical">
          {error}
        </p>
      )}
    </fieldset>
  )
}
