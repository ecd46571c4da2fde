import { Mail } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useSendVerification, waitingAlertsText } from '../../../shell/email.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { FrequencySelect } from '../../../widgets/delivery/FrequencySelect.tsx'
import { SeveritySwitches } from '../../../widgets/delivery/SeveritySwitches.tsx'
import { useTestEmail } from '../../../widgets/delivery/use-test-email.ts'
import { type CardProps, onEnter, refusalOf } from './card-props.ts'
import { ChannelCard, ChannelFields } from './ChannelCard.tsx'
import { SentTo } from './Connected.tsx'
import { field } from './destination-form.ts'

export function EmailCard({ plan, draft, destinations, email, channels }: CardProps) {
  const { form, account } = destinations
  const { settings, change } = draft
  const { to, lastSentAt, waitingFor, unconfirmed, locked, problem } = channels.email
  const test = useTestEmail()
  const confirmation = useSendVerification(account)
  const off = !settings.emailEnabled
  const refused = refusalOf(draft, 'frequency')

  function toggle(emailEnabled: boolean): void {
    change({ emailEnabled })
    if (!emailEnabled) form.resetField('address')
  }

  return (
    <ChannelCard
      icon={Mail}
      title="Email"
      description="Alerts and digests by email. Every email has an unsubscribe link."
      on={settings.emailEnabled}
      onToggle={toggle}
      problem={locked ?? problem}
      refusal={refusalOf(draft, 'emailEnabled', 'criticalAlerts', 'warningAlerts', 'positiveAlerts')}
    >
      <ChannelFields name="Email address" disabled={off}>
        <div {...onEnter(email.save)}>
          <Field
            label="Email address"
            type="email"
            autoComplete="email"
            placeholder={account}
            disabled={email.isBusy}
            hint={`Defaults to your account email, ${account}. Other addresses must be confirmed.`}
            {...field(form, 'address')}
          />
        </div>
        {waitingFor !== null && locked === null ? (
          <Waiting address={waitingFor} busy={email.isBusy} onResend={() => void email.resend()} onCancel={() => void email.cancel()}>
            We sent a confirmation link to this address.{' '}
            {to !== null && unconfirmed === null && `Until it's opened, notifications go to ${to}.`}
          </Waiting>
        ) : unconfirmed !== null && to !== null && locked === null ? (
          <Waiting address={to} busy={confirmation.isPending} onResend={() => confirmation.mutate()}>
            We sent a confirmation link to this address. {waitingAlertsText(unconfirmed.alerts)}
          </Waiting>
        ) : (
          to !== null && <SentTo to={to} lastSentAt={lastSentAt} closed={locked !== null || problem !== null} />
        )}
        <Button className="self-start" disabled={off || locked !== null || test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? 'Sending...' : 'Test Email'}
        </Button>
      </ChannelFields>
      <div className="border-t border-line pt-5">
        <FrequencySelect
          plan={plan}
          frequency={settings.frequency}
          disabled={off && !settings.slackEnabled && !settings.smsEnabled}
          onChange={(frequency) => change({ frequency })}
        />
        {refused !== undefined && (
          <p role="alert" className="mt-2 text-sm text-critical">
            {refused}
          </p>
        )}
        <p className="mt-2 text-sm text-muted">Applies to email, Slack and SMS. Connection problems never wait for a digest.</p>
      </div>
      <div className="border-t border-line pt-5">
        <SeveritySwitches {...settings} disabled={off && !settings.slackEnabled} onChange={change} />
        <p className="mt-3 text-sm text-muted">Applies to email and Slack.</p>
      </div>
    </ChannelCard>
  )
}

type WaitingProps = { address: string; busy: boolean; onResend: () => void; onCancel?: () => void; children: ReactNode }

function Waiting({ address, busy, onResend, onCancel, children }: WaitingProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-control bg-warning-soft p-3">
      <p id={id} className="font-medium wrap-anywhere">
        Waiting for {address} to be confirmed
      </p>
      <p className="mt-0.5 wrap-anywhere">{children}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button disabled={busy} onClick={onResend}>
          Send again
        </Button>
        {onCancel && (
          <Button variant="quiet" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </section>
  )
}
