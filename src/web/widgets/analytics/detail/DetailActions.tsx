import { BellPlus, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { searchConsoleAddress } from '../../../lib/alert/alert-view.ts'
import { webAddress } from '../../../lib/addresses.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { NewRuleDialog } from '../../NewRuleDialog.tsx'
import type { Detail } from './detail-link.ts'
import { ruleFor } from './rule-for.ts'

/** What can be done with a page or query. */
export function DetailActions({ property, detail }: { property: string; detail: Detail }) {
  const [isAsking, setAsking] = useState(false)
  const { kind, name } = detail
  const address = kind === 'page' ? webAddress(name) : null
  const rule = ruleFor(detail)
  return (
    <div className="mt-4 flex flex-wrap gap-2 *:grow sm:*:grow-0">
      <CopyButton text={name} label={kind === 'page' ? 'Copy URL' : 'Copy keyword'} />
      {address !== null && <NewTab href={address}>Open page</NewTab>}
      <NewTab href={searchConsoleAddress(property)}>View in GSC</NewTab>
      {rule !== null && (
        <>
          <Button onClick={() => setAsking(true)}>
            <BellPlus aria-hidden />
            Set up an alert
          </Button>
          <NewRuleDialog property={property} open={isAsking} onOpenChange={setAsking} initial={rule} />
        </>
      )}
    </div>
  )
}

function NewTab({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
      {children}
      <ExternalLink aria-hidden className="text-muted" />
      <span className="sr-only"> (new tab)</span>
    </a>
  )
}
