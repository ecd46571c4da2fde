import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

export const recipients: Chapter = {
  id: 'recipients',
  title: 'What is shared and when',
  content: (
    <>
      <p>
        Only the data listed here is shared, only with these recipients, and only if you or the operator set it up. Nothing is sold or
        passed on to anyone else.
      </p>
      <ul>
        <li>
          <strong>Google</strong>, when you log in with it and at each sync after that: your token, and the requested property and days.
          Ranklark only asks for permission to read Search Console data and your email address.
        </li>
        <Sold>
          <li>
            <strong>Stripe</strong>, when you pay for a plan: your email address and the plan. The payment page loads Stripe’s script, and
            your card details go directly from your browser to Stripe. Settings also loads it when your bank has to confirm a plan change;
            no other page loads anything from Stripe.
          </li>
        </Sold>
        <li>
          <strong>The operator’s mail server</strong>, for each account email, alert and report: the recipient and the content.
        </li>
        <li>
          <strong>Slack</strong>, if you enter a Slack webhook: the text of your alerts.
        </li>
        <li>
          <strong>Twilio</strong>, if you enter a phone number: the number and a short text about critical alerts.
        </li>
        <li>
          <strong>Your own webhook</strong>, if you enter one: your alerts as JSON.
        </li>
        <li>
          <strong>Recipients of your reports</strong>, by email: the reports you schedule, under your brand’s name or your username. Every
          email has an unsubscribe link.
        </li>
        <li>
          <strong>Anyone with a shared link</strong>, until it expires or you revoke it: the report it opens.
        </li>
        <li>
          <strong>Apps and AI assistants</strong> that you give an API key: the figures, alerts and notes they request. What an assistant
          reads also goes to its provider.
        </li>
        <li>
          <strong>Support staff</strong> of this installation, when you write to them: your message, username and email address, and the
          account details you leave checked.
        </li>
      </ul>
      <p>All pages, fonts and images come from this installation. There are no analytics, no ads and no third-party content.</p>
      <p>
        Ranklark uses Google data only to show you your figures and to alert you, never for advertising or to train models, and shows it
        only to you and to the recipients listed above that you choose. The operator can access the databases on their own machine, where
        tokens and other secrets are encrypted.
      </p>
    </>
  ),
}
