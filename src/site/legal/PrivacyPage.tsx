import { screens } from '../../contract/screens.ts'
import { Article, type Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'
import { browserStorage } from './browser-storage.tsx'
import { recipients } from './recipients.tsx'

const responsible: Chapter = {
  id: 'who',
  title: 'Who is responsible',
  content: (
    <>
      <p>
        Ranklark is software that people and companies run on machines of their own. Whoever runs this installation, “the operator”, decides
        who may use it and answers for what is stored in it: the person who gave you this address, or you yourself. Those who make Ranklark
        run no part of it, and get no data from it: it has no telemetry and calls nobody at home.
      </p>
      <p>
        An operator may add to this page, for instance an address to write to and the law they act under. What follows is what the software
        does, whoever runs it.
      </p>
    </>
  ),
}

export function PrivacyPage() {
  return (
    <Article
      title="Privacy Policy"
      description="What this installation of Ranklark stores, what leaves it and when, and how to take your data along or have it deleted."
      intro={<p>What is stored and where, what leaves this installation and when, and how you get your data out or have it deleted.</p>}
      chapters={[responsible, stored, recipients, browserStorage, rights]}
    />
  )
}

const stored: Chapter = {
  id: 'stored',
  title: 'What is stored, and where',
  content: (
    <>
      <p>Everything is stored in the databases of this installation, on the operator’s machine or where the operator has put them.</p>
      <ul>
        <li>
          <strong>Your account</strong>: username, e-mail address,<Sold> plan,</Sold> and your password as a hash from which it cannot be
          read.
        </li>
        <li>
          <strong>Where you are signed in</strong>: for each session its beginning, the IP address and the name of the browser. A session
          ends when you log out, or after 30 days without use. You see them under Profile and can end them.
        </li>
        <li>
          <strong>Google accounts that log in here</strong>: their addresses, and the numbers by which Google knows them.
        </li>
        <li>
          <strong>Your connection to Google</strong>: the address of the Google account, and the tokens with which Ranklark reads your
          Search Console, encrypted. They never reach a browser.
        </li>
        <li>
          <strong>Search Console figures</strong> of the sites you monitor: clicks, impressions, CTR and positions by day, page, query,
          country and device; <Sold>where your plan has them, </Sold>also clicks, impressions and positions of the whole site by the hour,
          for 13 months. They are counts and name no person; queries are those that Google itself publishes to you.
        </li>
        <li>
          <strong>What you make of them</strong>: rules, alerts and their history, notes, brand names, preferences, imported figures.
        </li>
        <li>
          <strong>Where you are told</strong>: the e-mail address, Slack webhook, phone number or webhook address you enter; the secret ones
          encrypted. What a message said is kept for 90 days, that it was sent for as long as the alert. Of what your webhook answered, the
          status and the beginning of its text are kept for 90 days. Addresses that unsubscribed from your alerts are kept until you delete
          your account, and how many text messages a number was sent in a day for two days, with a hash of the number.
        </li>
        <li>
          <strong>Your reports</strong>: schedules with the addresses of their recipients until you delete them; which addresses were asked,
          have agreed or have unsubscribed, until you delete your account; clients; your brand with its logo, which is drawn anew from the
          file you upload, while the file itself is not kept. PDFs, up to a limit, and which address got one when, are kept for 90 days.
        </li>
        <li>
          <strong>Links to reports</strong>: the address as a hash and encrypted, how often it was opened and when last, not by whom. A link
          that you withdraw is deleted at once, one that has ended after 90 days.
        </li>
        <li>
          <strong>API keys</strong>: name, first characters, what they may do and when they were last used, until you revoke them; of the
          key itself only a hash. Answers to changes that programs ask for with a key are kept for a day, so that none is made twice.
        </li>
        <li>
          <strong>Messages to support</strong> are mailed and kept nowhere here but in the queue of outgoing mail, encrypted, from which
          each mail is deleted a week after it was sent or given up.
        </li>
        <Sold>
          <li>
            <strong>Your subscription</strong>, if you pay: its state and Stripe’s name for you. Card numbers never reach this installation.
          </li>
        </Sold>
      </ul>
      <p>The server’s log notes what it did and what failed, not what you looked at. Tokens and passwords are left out of it.</p>
    </>
  ),
}

const rights: Chapter = {
  id: 'your-data',
  title: 'Taking your data along, and leaving',
  content: (
    <>
      <ul>
        <li>
          <strong>Take it along.</strong> Under <a href={screens.settings}>Settings</a>, “Export my data” gives everything as a ZIP of CSV
          and JSON.
        </li>
        <li>
          <strong>Correct it.</strong> Name, address and password are changed under <a href={screens.account}>Profile</a>.
        </li>
        <li>
          <strong>Withdraw Google’s permission</strong> under <a href={screens.account}>Profile</a>, or in your Google account. Ranklark
          then deletes its tokens; the figures fetched until then stay until you delete the account.
        </li>
        <li>
          <strong>Delete everything</strong> under <a href={screens.settings}>Settings</a>. The account, its figures and its alerts are
          deleted, the permission is given back to Google
          <Sold>, a subscription ends and Stripe is told to delete you as a customer</Sold>. This cannot be undone.
        </li>
      </ul>
      <p>
        Copies that the operator has made for safety may hold deleted data until they are replaced. For everything you cannot do yourself,
        ask the operator.
      </p>
    </>
  ),
}
