import { Smartphone } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { type CardProps, onEnter, useChannel } from './card-props.ts'
import { ChannelCard, ChannelFields } from './ChannelCard.tsx'
import { Connected } from './Connected.tsx'
import { field } from './destination-form.ts'

export function SmsCard(props: CardProps) {
  const { destinations, sms, channels } = props
  const { form } = destinations
  const { to, waitingFor } = channels.sms
  const { card, off, replacing, replace, keep, connect } = useChannel(props, 'sms', sms.sendCode)
  const asksNumber = replacing || (to === null && waitingFor === null)

  // The code field replaces the number field, and takes its focus.
  const { codeSentTo } = sms
  const { setFocus } = form
  useEffect(() => {
    if (codeSentTo !== null && !asksNumber) setFocus('code')
  }, [codeSentTo, asksNumber, setFocus])

  return (
    <ChannelCard
      icon={Smartphone}
      title="SMS"
      description="Critical alerts only, as one short text message. Recoveries aren't sent."
      {...card}
    >
      {to !== null && (
        <Connected
          {...props}
          channel="sms"
          title="SMS"
          to={to}
          inactive={off}
          replace={asksNumber || waitingFor !== null ? null : { label: 'Change number', onReplace: replace }}
          loss="To reconnect, you'll need to confirm a number again."
        />
      )}
      <ChannelFields name="SMS" disabled={off}>
        {asksNumber ? (
          <>
            <div {...onEnter(connect)}>
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
              <Button variant="primary" disabled={off || sms.isSending} onClick={() => void connect()}>
                {sms.isSending ? 'Sending...' : 'Send code'}
              </Button>
              {replacing && <Button onClick={keep}>Cancel</Button>}
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
                <Button onClick={replace}>Resend or change number</Button>
              </div>
            </>
          )
        )}
      </ChannelFields>
    </ChannelCard>
  )
}
