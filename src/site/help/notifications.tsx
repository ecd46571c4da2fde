import { screens } from '../../contract/screens.ts'
import { channelAvailability } from '../../core/billing/entitlements.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

export const notifications: Chapter = {
  id: 'delivery',
  title: 'Notifications',
  content: (
    <>
      <p>
        Choose your channels and the severities you want under <a href={screens.alertSettings}>Alert Settings</a>. Each channel has a button
        to send a test.
      </p>
      <ul>
        <li>
          <strong>Email</strong>
          <Sold>, on every plan</Sold>: sent to your account email or another address. The recipient must confirm the address first; until
          then, alerts are held for up to 30 days. Every email has an unsubscribe link.
        </li>
        <li>
          <strong>Slack</strong>: create an incoming webhook in Slack and paste its URL.
          <Sold> {channelAvailability('slack')}.</Sold>
        </li>
        <li>
          <strong>SMS</strong>, for critical alerts only. Enter the code we text you to confirm your number.{' '}
          <Sold otherwise="Available">{channelAvailability('sms')},</Sold> if your administrator has set up an SMS provider.
        </li>
        <li>
          <strong>Webhooks</strong> for your own apps: signed JSON, sent immediately. See <a href="#api">API, assistants and webhooks</a>.
          <Sold> {channelAvailability('webhook')}.</Sold>
        </li>
      </ul>
      <h3>Timing</h3>
      <p>
        Get a weekly digest, a daily digest or instant alerts<Sold>, depending on your plan</Sold>. Digests come at the hour you choose in
        your time zone; instant alerts are held until quiet hours end. The weekly digest comes on the weekday you choose; if you change the
        day, the next one arrives five to twelve days after the last. Alerts that are found together come in one message, most severe first,
        even if they cover several properties. Two things never wait for a digest: connection problems and webhooks.
      </p>
      <p>If a message can’t be delivered, Ranklark retries for a day. If that fails, the alert’s report and a banner say so.</p>
    </>
  ),
}
