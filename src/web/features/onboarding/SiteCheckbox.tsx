import { clsx } from 'clsx'
import type { Property } from '../../../contract/user.ts'
import { isReadable } from '../../../core/accounts/site-access.ts'
import { Badge } from '../../ui/Badge.tsx'

type SiteCheckboxProps = {
  property: Property
  checked: boolean
  disabled: boolean
  onToggle: () => void
  /** Somebody pressed a box that is switched off. */
  onRefused: () => void
}

export function SiteCheckbox({ property, checked, disabled, onToggle, onRefused }: SiteCheckboxProps) {
  return (
    // A disabled box swallows its own clicks; what is around it does not.
    <div
      role="presentation"
      onClick={() => {
        if (disabled) onRefused()
      }}
    >
      <label
        className={clsx(
          'flex min-h-11 items-center gap-3 rounded-control border px-3 py-2 transition-colors duration-150',
          checked ? 'border-brand bg-brand-soft' : 'border-line',
          disabled ? 'cursor-not-allowed text-muted' : 'cursor-pointer hover:border-line-control',
        )}
      >
        <input type="checkbox" className="size-4 shrink-0 accent-brand" checked={checked} disabled={disabled} onChange={onToggle} />
        <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="max-w-full break-words">{property.name}</span>
          {property.kind === 'imported' && <span className="text-sm text-muted">imported</span>}
          {property.paused && !checked && <Badge tone="warning">paused</Badge>}
          {!isReadable(property) && <Badge tone="warning">No access</Badge>}
        </span>
      </label>
    </div>
  )
}
