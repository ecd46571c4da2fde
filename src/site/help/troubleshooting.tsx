import { screens } from '../../contract/screens.ts'
import { catalog } from '../../core/billing/plans.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'
import { answerTime } from './copy.ts'

export const troubleshooting: Chapter = {
  id: 'troubleshooting',
  title: 'Troubleshooting',
  content: (
    <>
      <p>If data stops coming in, a banner says why and usually has a button that fixes it.</p>
      <h3>Google access has expired or been revoked</h3>
      <p>
        Click “Reconnect Google” in the banner. This happens when access is revoked in the Google account, sometimes when the Google
        password changes, or after six months without use. If it happens every seven days, this installation’s Google app is still in
        testing mode; the administrator has to publish it. No stored data is lost, and missed days are fetched after you reconnect.
      </p>
      <h3>Google denies access (403)</h3>
      <ul>
        <li>
          <strong>No permission for the property.</strong> Your Google account was removed from the property, or ownership was never
          verified, so you can’t select it. Ask an owner to add you in Search Console, or connect an account that has access.
        </li>
        <li>
          <strong>A different version of the property.</strong> Google treats the domain <code>example.com</code>,{' '}
          <code>https://example.com/</code> and <code>https://www.example.com/</code> as three properties.{' '}
          <a href={screens.selectSites}>Choose the right one</a> from the list.
        </li>
        <li>
          <strong>The permission box wasn’t checked</strong> on Google’s consent screen. Reconnect and make sure it’s checked.
        </li>
        <li>
          <strong>The Search Console API is disabled</strong> in this installation’s Google Cloud project. The administrator has to enable
          it there; syncing then resumes automatically.
        </li>
        <li>
          <strong>Quota reached.</strong> Google limits the number of requests per day. Syncing pauses and resumes automatically.
        </li>
      </ul>
      <h3>Emails don’t arrive</h3>
      <ul>
        <li>Check your spam folder. In Alert Settings, make sure that email is on and the severity is selected.</li>
        <li>“Test Email” on the dashboard sends an email immediately and shows any error.</li>
        <li>Digests are sent at the hour you chose, and instant alerts are held until quiet hours end.</li>
        <li>
          Alerts go only to confirmed email addresses. A notice at the top shows what’s waiting and lets you resend the confirmation link.
        </li>
        <li>
          If the app says that this installation doesn’t send email, the administrator can turn it on with <code>SMTP_URL</code> and{' '}
          <code>MAIL_FROM</code>.
        </li>
      </ul>
      <h3>I expected an alert but didn’t get one</h3>
      <p>
        Check the rule’s backtest, which shows the days it would have fired. A recent day may not be complete yet, and a change within the
        page’s normal range doesn’t count.
      </p>
      <h3>Still stuck?</h3>
      <p>
        <a href="#support">Contact support</a>.
      </p>
    </>
  ),
}

export const support: Chapter = {
  id: 'support',
  title: 'Contacting support',
  content: (
    <>
      <p>
        Use <a href={screens.contact}>Contact support</a> (also in the Help menu in the header) to email this installation’s support team.
        The form shows the account details that will be sent with your message (<Sold>plan, </Sold>sites, data freshness, version, browser),
        and you can uncheck any of them. The reply goes to your account email. Confirm your email to receive a copy of your message, too.
      </p>
      <p>
        A person replies<Sold>: {catalog.map((plan) => `on ${plan.name} ${answerTime(plan)}`).join(', ')}</Sold>. If this installation has
        no support address, the form says so.
      </p>
    </>
  ),
}
