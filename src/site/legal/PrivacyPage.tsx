import type { ReactNode } from 'react'
import { screens } from '../../contract/screens.ts'
import { Article, type Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

const responsible: Chapter = {
  id: 'who',
  title: 'Who is responsible',
  content: (
    <>
      <p>
        Ranklark is software that people and companies run on their own machines. Whoever runs this installation (“the operator”) decides
        who may use it and is responsible for the data stored in it. That is the person who gave you this URL, or you yourself. The makers
        of Ranklark don’t run any part of it and receive no data from it: it has no telemetry and doesn’t phone home.
      </p>
      <p>
        The operator may add to this page, for example a contact address and the applicable law. The rest describes what the software does,
        no matter who runs it.
      </p>
    </>
  ),
}

export function PrivacyPage() {
  return (
    <Article
      title="Privacy Policy"
      description="What this installation of Ranklark stores, what it shares and when, and how to export or delete your data."
      intro={<p>What is stored and where, what this installation shares and when, and how to export or delete your data.</p>}
      chapters={[responsible, stored, recipients, browserStorage, rights]}
    />
  )
}

const stored: Chapter = {
  id: 'stored',
  title: 'What is stored and where',
  content: (
    <>
      <p>Everything is stored in this installation’s databases, on the operator’s machine or wherever the operator hosts them.</p>
      <ul>
        <li>
          <strong>Your account</strong>: username (previous ones are kept for 30 days), email address,<Sold> plan,</Sold> and a hash of your
          password, from which the password can’t be recovered.
        </li>
        <li>
          <strong>Your sessions</strong>: for each session, when it started, the IP address and the name of the browser. A session ends when
          you log out, or after 30 days without use. You can see and end your sessions under Profile. Account activity (logins, API key use
          and account changes, with the IP address and browser) is kept for 400 days.
        </li>
        <li>
          <strong>Google accounts you can log in with</strong>: their email addresses and Google account IDs.
        </li>
        <li>
          <strong>Your Google connection</strong>: the email address of the Google account, and the encrypted tokens that Ranklark uses to
          read your Search Console data. The tokens are never sent to a browser.
        </li>
        <li>
          <strong>Search Console data</strong> for the sites you monitor: clicks, impressions, CTR and position by day, page, query,
          country, device and search appearance; <Sold>if your plan includes it, </Sold>also hourly clicks, impressions and positions of the
          whole site, for 13 months. These are aggregate numbers that don’t identify anyone; the queries are those that Google itself shows
          you.
        </li>
        <li>
          <strong>What you create</strong>: rules, alerts and their history, notes, brand names, preferences, imported data.
        </li>
        <li>
          <strong>Where alerts are sent</strong>: the email address, Slack webhook, phone number or webhook URL you enter, with any secrets
          encrypted. The content of a message is kept for 90 days; the record that it was sent, for as long as the alert exists. The status
          and the beginning of your webhook’s responses are kept for 90 days. Addresses that unsubscribed from your alerts are kept until
          you delete your account. The number of text messages sent to a phone number each day is kept for two days, with a hash of the
          number.
        </li>
        <li>
          <strong>Your reports</strong>: schedules with their recipients’ addresses, until you delete them; which addresses were asked to
          opt in, opted in or unsubscribed, until you delete your account; a hash of those addresses, with how often they were asked and
          whether they refused, for 90 days; clients; your brand with its logo, which is re-encoded from the file you upload (the file
          itself isn’t kept). PDFs, up to a limit, and the record of who was sent which one, are kept for 90 days.
        </li>
        <li>
          <strong>Shared report links</strong>: the URL, hashed and encrypted, how often it was opened and when it was last opened, but not
          by whom. A link is deleted immediately when you revoke it, or 90 days after it expires.
        </li>
        <li>
          <strong>API keys</strong>: name, first characters, permissions and when they were last used, until you revoke them; for the key
          itself, only a hash is stored. Responses to changes requested with a key are kept for a day, so a retry can’t repeat a change.
        </li>
        <li>
          <strong>Messages to support</strong> are sent by email. This installation keeps them only in its outgoing email queue, encrypted,
          and deletes them a week after they’re sent or delivery is abandoned.
        </li>
        <Sold>
          <li>
            <strong>Your subscription</strong>, if you pay: its status and your Stripe customer ID. Card numbers never reach this
            installation.
          </li>
        </Sold>
      </ul>
      <p>The server’s log records what the server did and what failed, not what you looked at. It contains no tokens or passwords.</p>
    </>
  ),
}

const rights: Chapter = {
  id: 'your-data',
  title: 'Exporting and deleting your data',
  content: (
    <>
      <ul>
        <li>
          <strong>Export it.</strong> “Export my data” under <a href={screens.settings}>Settings</a> gives you everything as a ZIP of CSV
          and JSON files.
        </li>
        <li>
          <strong>Correct it.</strong> You can change your username, email address and password under <a href={screens.account}>Profile</a>.
        </li>
        <li>
          <strong>Revoke Google access</strong> under <a href={screens.account}>Profile</a> or in your Google account. Ranklark then deletes
          its tokens; the data already fetched stays until you delete the account.
        </li>
        <li>
          <strong>Delete everything</strong> under <a href={screens.settings}>Settings</a>. The account, its data and its alerts are
          deleted, and Google access is revoked
          <Sold>. Your subscription ends, and Ranklark asks Stripe to delete your customer record</Sold>. Your Search Console data can’t be
          read from then on; it is erased from the disk the next night, or, if the disk has too little room for that, the first night it has
          enough. This can’t be undone.
        </li>
      </ul>
      <p>The operator’s backups may contain deleted data until they are replaced. For anything you can’t do yourself, ask the operator.</p>
    </>
  ),
}

const recipients: Chapter = {
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
          <strong>Twilio</strong>, if you enter a phone number: the number, confirmation codes and short texts about critical alerts.
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

const cookies: readonly Entry[] = [
  ['ranklark.session_token', 'Keeps you logged in for up to 30 days after your last visit'],
  ['ranklark.two_factor', 'Remembers your login while you enter the code from your authenticator app; a few minutes'],
  ['ranklark.trust_device', 'Remembers that you trust this browser, so you aren’t asked for a code; 30 days'],
  ['ranklark.google', 'Keeps track of a Google login or connection in progress; a few minutes'],
]

const local: readonly Entry[] = [
  ['ranklark-ui-theme', 'Light, dark or system theme'],
  ['ranklark-ui-color-by', 'How changes are colored'],
  ['ranklark-notices-height', 'How much room notices at the top took up on your last visit'],
  ['columns of …', 'Which columns you chose to show in a table'],
  ['ranklark_onboarding_completed', 'Whether you have seen the welcome tour'],
]

const session: readonly Entry[] = [
  [
    'ranklark-purchase-flow',
    <Sold key="flow" otherwise="How far along you are in setup">
      The plan and sites you chose, and for which account, until setup is complete
    </Sold>,
  ],
  ['ranklark-demo-banner-dismissed', 'Whether you closed the demo notice'],
  ['ranklark-confirm-address-dismissed', 'Whether you closed the reminder to confirm your email address'],
  ['react-router-scroll-positions', 'Your scroll position on each screen, to restore it when you return'],
]

const browserStorage: Chapter = {
  id: 'cookies',
  title: 'Cookies and browser storage',
  content: (
    <>
      <p>
        Everything listed here is necessary for the features you use, so there is no cookie banner. None of it tracks you on other sites.
        Over HTTPS, the cookies’ names begin with <code>__Host-</code>.
      </p>
      <Entries title="Cookies" entries={cookies} />
      <Entries title="Local storage, until you clear it" entries={local} />
      <Entries title="Session storage, until you close the tab" entries={session} />
      <Sold>
        <p>When you pay, Stripe sets its own cookies to detect fraud.</p>
      </Sold>
    </>
  ),
}

type Entry = readonly [name: string, purpose: ReactNode]

function Entries({ title, entries }: { title: string; entries: readonly Entry[] }) {
  return (
    <>
      <h3>{title}</h3>
      <dl>
        {entries.map(([name, purpose]) => (
          <div key={name} className="grid gap-x-6 border-b border-line py-2.5 first:border-t sm:grid-cols-[18rem_1fr]">
            <dt>
              <code className="break-all">{name}</code>
            </dt>
            <dd>{purpose}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
