import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ReportKind } from '../../../contract/reports/periodic.ts'
import { type ReportSubject, shareDays } from '../../../contract/reports/reports.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { whiteLabelRefusal } from '../../../core/billing/entitlements.ts'
import { failureText } from '../../api/client.ts'
import { createShare, reloadPublished } from '../../api/reports.ts'
import { formatUntil } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { Segments } from '../../ui/form/Segments.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { reportKinds } from './copy.ts'

type ShareDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The name of the report's subject. */
  title: string
  subject: ReportSubject
  /** The report on screen; without one, the latest of a selectable kind is shared. */
  report?: { segment?: string; kind: ReportKind; start: string }
}

/** Creates a link to a report for people without an account. */
export function ShareDialog({ open, onOpenChange, title, ...share }: ShareDialogProps) {
  const { plan } = useCurrentUser()
  const locked = whiteLabelRefusal(plan)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Share link"
      description={
        <span className="wrap-anywhere">
          Anyone with the link can view this report on {propertyName(title)} until the link expires. No account needed.
        </span>
      }
    >
      {locked === null ? <ShareForm {...share} /> : <Locked reason={locked} />}
    </Dialog>
  )
}

function Locked({ reason }: { reason: string }) {
  return (
    <>
      <p className="font-medium">{reason}</p>
      <Link to={paths.settings} className={buttonClass('primary', 'mt-4')}>
        See plans
      </Link>
    </>
  )
}

function ShareForm({ subject, report }: Pick<ShareDialogProps, 'subject' | 'report'>) {
  const client = useQueryClient()
  const now = useNow()
  const [kind, setKind] = useState<ReportKind>('month')
  const [days, setDays] = useState<(typeof shareDays)[number]>(30)
  const sharing = useMutation({
    mutationFn: () => createShare({ subject, days, ...(report ?? { kind }) }),
    onSuccess: () => reloadPublished(client, 'shares'),
  })
  if (sharing.data !== undefined) {
    return (
      <div className="flex flex-col gap-4">
        <Field label="Link" readOnly value={sharing.data.url} onFocus={(event) => event.currentTarget.select()} />
        <p className="text-muted">Expires {formatUntil(new Date(sharing.data.expiresAt), now)}. You can revoke it anytime under “Links.”</p>
        <div>
          <CopyButton text={sharing.data.url} label="Copy link" />
        </div>
      </div>
    )
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        sharing.mutate()
      }}
    >
      {report === undefined && (
        <div>
          <p aria-hidden className="mb-1.5 font-medium">
            {' '}
            Latest{' '}
          </p>
          <Segments label="Which report" choices={reportKinds} value={kind} onChange={setKind} />
        </div>
      )}
      <Select
        label="Expires after"
        placeholder=""
        value={String(days)}
        choices={shareDays.map((each) => ({ value: String(each), label: `${each} days` }))}
        onChange={(chosen) => setDays(shareDays.find((each) => String(each) === chosen) ?? days)}
      />
      {sharing.error !== null && <FormProblem>{failureText(sharing.error, "Couldn't create the link. Please try again.")}</FormProblem>}
      <Button type="submit" variant="primary" className="self-start" disabled={sharing.isPending}>
        {sharing.isPending ? 'Creating the link...' : 'Create link'}
      </Button>
    </form>
  )
}
