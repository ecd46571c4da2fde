import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

export const recipients: Chapter = {
  id: 'recipients',
  title: 'What leaves it, and when',
  content: (
    <>
      <p>
        Only what follows, only to those named, and only if the operator or you have set it up. Nothing is sold or passed on to anybody
        else.
      </p>
      <ul>
        <li>
          <strong>Google</strong>, when you sign in with it, and afterwards with each sync: your token, and which property and days are
          asked for. Ranklark asks for permission to read Search Console and to learn your e-mail address, and nothing more.
        </li>
        <Sold>
          <li>
            <strong>Stripe</strong>, when you pay for a plan: your e-mail address and the plan. The payment page loads Stripe’s script, and
            what you enter about your card goes from your browser to Stripe. Settings loads it too when your bank wants to confirm a change
            of plan; no other page loads anything from there.
          </li>
        </Sold>
        <li>
          <strong>The operator’s mail server</strong>, when a letter, alert or report is sent: to which address, and what it says.
        </li>
        <li>
          <strong>Slack</strong>, if you have entered a Slack webhook: the text of your alerts.
        </li>
        <li>
          <strong>Twilio</strong>, if you have entered a phone number: the number and a short text about critical alerts.
        </li>
        <li>
          <strong>Your own webhook</strong>, if you have entered one: your alerts as JSON.
        </li>
        <li>
          <strong>Recipients of your reports</strong>, by mail: the report as you have scheduled it, in your brand’s name or with your
          username. Each mail has a link that ends them.
        </li>
        <li>
          <strong>Whoever has a link</strong> to a report, until it ends or you withdraw it: that report.
        </li>
        <li>
          <strong>Programs and assistants</strong> to which you give an API key: the figures, alerts and notes they ask for. What an
          assistant learns goes to whoever runs it.
        </li>
        <li>
          <strong>Whoever gives support</strong> here, when you write to them: your message, username and e-mail address, and what you have
          left ticked below it.
        </li>
      </ul>
      <p>Pages, fonts and pictures all come from this installation. There is no analytics, no advertising and no content from elsewhere.</p>
      <p>
        Ranklark uses what it reads from Google to show you your figures and to alert you, for nothing else: not for advertising, not to
        train models, and it shows them to nobody but you and those you have named above. The operator can look into the databases of their
        own machine, where tokens and other secrets are encrypted.
      </p>
    </>
  ),
}
