import { Smartphone } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { type CardProps, lockOf, onEnter, refusalOf } from './card-props.ts'
import { ChannelCard, ChannelFields } from './ChannelCard.tsx'
import { Connected } from './Connected.tsx'
import { field } from './destination-form.ts'

export function SmsCard({ plan, draft, destinations, sms, channels }: CardProps) {
  const { form } = destinations
  const { settings, change } = draft
  const { to, lastSentAt, waitingFor, problem } = channels.sms
  const [another, setAnother] = useState(false)
  const locked = lockOf(plan, 'sms', channels.sms.locked)
  const off = locked !== null || !settings.smsEnabled
  const asksNumber = another || (to === null && waitingFor === null)

  // The code field replaces the number field, and takes its focus.
  const { codeSentTo } = sms
  const { setFocus } = form
  useEffect(() => {
    if (codeSentTo !== null && !asksNumber) setFocus('code')
  }, [codeSentTo, asksNumber, setFocus])

  function stop(): void {
    setAnother(false)
    form.resetField('number')
  }

  function toggle(smsEnabled: boolean): void {
    change({ smsEnabled })
    if (smsEnabled) return
    stop()
    form.resetField('code')
  }

  async function send(): Promise<void> {
    if (await sms.sendCode()) setAnother(false)
  }

  return (
    <ChannelCard
      icon={Smartphone}
      title="SMS"
      description="Critical alerts only, as one short text message. Recoveries aren't sent."
      on={settings.smsEnabled}
      onToggle={toggle}
      locked={locked}
      problem={problem}
      refusal={refusalOf(draft, 'smsEnabled')}
    >
      {to !== null && (
        <Connected
          channel="sms"
          title="SMS"
          to={to}
          lastSentAt={lastSentAt}
          problem={problem}
          draft={draft}
          destinations={destinations}
          inactive={off}
          replace={asksNumber || waitingFor !== null ? null : { label: 'Change number', onReplace: () => setAnother(true) }}
          loss="To reconnect, you'll need to confirm a number again."
        />
      )}
      <ChannelFields name="SMS" disabled={off}>
        {asksNumber ? (
          <>
            <div {...onEnter(send)}>
              <Field
                label="Mobile number"
                type="tel"
                autoComplete="tel"
                placeholder="+44 20 7946 0000"
                hint="Include the country code. We'll text you a code to confirm the number."
                {...field(form, 'number')}
              />
            </div>
            <div className="flex flex-wrap gap-2">
              <Button variant="primary" disabled={off || sms.isSending} onClick={() => void send()}>
                {sms.isSending ? 'Sending...' : 'Send code'}
              </Button>
              {another && <Button onClick={stop}>Cancel</Button>}
            </div>
          </>
        ) : (
          waitingFor !== null && (
            <>
              <div {...onEnter(sms.confirm)}>
                <Field
                  label="Code"
                  inputMode="numeric"
                  autoComplete="one-time-code"
                  maxLength={12}
                  className="max-w-40 tabular-nums"
                  hint={`Enter the 6-digit code sent to ${waitingFor}. It expires in 10 minutes.`}
                  {...field(form, 'code')}
                />
              </div>
              <div className="flex flex-wrap gap-2">
                <Button variant="primary" disabled={off || sms.isConfirming} onClick={() => void sms.confirm()}>
                  {sms.isConfirming ? 'Confirming...' : 'Confirm number'}
                </Button>
                <Button onClick={() => setAnother(true)}>Resend or change number</Button>
              </div>
            </>
          )
        )}
      </ChannelFields>
    </ChannelCard>
  )
}
