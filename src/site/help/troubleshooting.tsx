import { screens } from '../../contract/screens.ts'
import type { Chapter } from '../parts/Article.tsx'

export const troubleshooting: Chapter = {
  id: 'troubleshooting',
  title: 'When something does not work',
  content: (
    <>
      <p>A banner says when no data comes in, and why. In most cases it has a button for what mends it.</p>
      <h3>Google no longer accepts our access</h3>
      <p>
        Press “Reconnect Google”, there or under <a href={screens.account}>Profile</a>. It happens when access was withdrawn in the Google
        account, when the password was changed under some policies, or after half a year without use. If it happens every seven days, the
        Google app of this installation is still in testing: whoever runs it has to publish it. Nothing stored is lost, and missed days are
        fetched afterwards.
      </p>
      <h3>Google refuses (403)</h3>
      <ul>
        <li>
          <strong>No permission for the property.</strong> Your Google account was removed from it, or never verified; while that is so, the
          property cannot be chosen. Ask one of its owners to add you in Search Console, or connect the account that has access.
        </li>
        <li>
          <strong>Another form of the address.</strong> To Google, <code>example.com</code> as a domain, <code>https://example.com/</code>{' '}
          and <code>https://www.example.com/</code> are three properties. <a href={screens.selectSites}>Choose it again</a> from the list.
        </li>
        <li>
          <strong>The permission box was left unticked</strong> when Google asked. Connect again and leave it ticked.
        </li>
        <li>
          <strong>The Search Console API is switched off</strong> in the Google Cloud project of this installation. Whoever runs it switches
          it on there; the sync goes on by itself.
        </li>
        <li>
          <strong>Quota.</strong> Google allows so many questions a day. The sync waits and goes on by itself.
        </li>
      </ul>
      <h3>No mail arrives</h3>
      <ul>
        <li>Look into the spam folder, and under Alert Settings whether e-mail is on and the severity is chosen.</li>
        <li>“Test Email” on the dashboard sends one at once and says what went wrong.</li>
        <li>A digest comes at its hour, and alerts you have asked to get at once wait for the end of your quiet hours.</li>
        <li>
          Alerts are emailed only to an address that was confirmed. A notice at the top says what is waiting and sends the link again.
        </li>
        <li>
          If the app says that this installation sends no email, whoever runs it can turn email on with <code>SMTP_URL</code> and{' '}
          <code>MAIL_FROM</code>.
        </li>
      </ul>
      <h3>There is no alert where I expected one</h3>
      <p>
        Look at the backtest beside the rule: it shows the days on which it would have alerted. If the day is too recent, it is not complete
        yet. If the change is within what this page goes through every other week, it does not stand out.
      </p>
      <h3>Nothing of this helps</h3>
      <p>
        <a href="#support">Write to support</a>.
      </p>
    </>
  ),
}
