import { screens } from '../../contract/screens.ts'
import { channelAvailability } from '../../core/billing/entitlements.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

export const being: Chapter = {
  id: 'delivery',
  title: 'How you are told',
  content: (
    <>
      <p>
        Where messages go is set under <a href={screens.alertSettings}>Alert Settings</a>, and which severities you want to hear of. Each
        channel has a button that sends a test.
      </p>
      <ul>
        <li>
          <strong>Email</strong>
          <Sold>, on every plan</Sold>: to your account’s address or another one, once whoever reads it has confirmed it; alerts wait until
          then, for up to 30 days. Every email has an unsubscribe link.
        </li>
        <li>
          <strong>Slack</strong>: make an incoming webhook in Slack and paste its address.
          <Sold> {channelAvailability('slack')}.</Sold>
        </li>
        <li>
          <strong>SMS</strong>, for critical alerts, after you have entered the code that is sent to your number.{' '}
          <Sold otherwise="It is there">{channelAvailability('sms')},</Sold> if whoever runs this installation has set up a provider.
        </li>
        <li>
          <strong>Webhooks</strong> for software of your own: signed JSON, sent as soon as something happens; described under{' '}
          <a href="#api">API, assistants and webhooks</a>.<Sold> {channelAvailability('webhook')}.</Sold>
        </li>
      </ul>
      <h3>When</h3>
      <p>
        As a weekly or daily digest or at once<Sold>, as far as your plan has it</Sold>; at the hour you choose, in your time zone, and not
        during your quiet hours. A weekly digest keeps its weekday; when you choose another day, the next one comes five to twelve days
        after the last. One message covers all alerts of a property that were found together, most severe first. Two things do not wait for
        a digest: that Google has stopped answering, and what goes to webhooks.
      </p>
      <p>What could not be sent is tried again for a day. What never arrived says so, in the alert’s report and in a banner.</p>
    </>
  ),
}
