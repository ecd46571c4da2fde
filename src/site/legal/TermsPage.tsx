import { screens, sitePages } from '../../contract/screens.ts'
import { catalog } from '../../core/billing/plans.ts'
import { Sold } from '../sold.tsx'
import { Article, type Chapter } from '../parts/Article.tsx'

const chapters: readonly Chapter[] = [
  {
    id: 'parties',
    title: 'Who these terms are between',
    content: (
      <p>
        Ranklark is software that people and companies run on their own machines. These terms are between you and whoever runs this
        installation (“the operator”). If you run it only for yourself, there is no other party, and these terms are just a description.
        Operators who offer it to others should add who they are, how to contact them and which law applies.
      </p>
    ),
  },
  {
    id: 'service',
    title: 'What you get',
    content: (
      <>
        <p>
          Ranklark reads your Search Console data, stores it, shows it, and alerts you according to your rules.{' '}
          <Sold>
            Your plan’s card under <a href={screens.settings}>Settings</a> lists what’s included.
          </Sold>
        </p>
        <p>
          The data comes from Google. It is two to three days behind, may be revised, and leaves out rare queries; if Google stops providing
          it, there is no new data. Today’s figures, and alerts based on them, are preliminary. Alerts can be late or fail to arrive, for
          example because an email is lost. Don’t rely on alerts alone for anything critical.
        </p>
        <Sold>
          <p>Your plan says how many business days support may take to respond; the operator is responsible for meeting that.</p>
        </Sold>
      </>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    content: (
      <ul>
        <li>
          Connect only properties that you are allowed to access, and enter only addresses and phone numbers whose owners want your alerts
          or reports. In your reports, use only names and logos that you have the right to use.
        </li>
        <li>
          Keep your password and API keys secret. You are responsible for what is done with your account until you report its misuse to the
          operator.
        </li>
        <li>
          Don’t try to access other people’s data, get around the limits of your <Sold otherwise="account">plan</Sold>, or disrupt the
          installation. Accounts that do can be suspended.
        </li>
      </ul>
    ),
  },
  {
    id: 'payment',
    title: 'Prices and payment',
    sold: true,
    content: (
      <>
        <ul>
          {catalog.map(({ id, name, price }) => (
            <li key={id}>
              {name}: {price === 0 ? '$0' : `$${price} a month`}
            </li>
          ))}
        </ul>
        <p>
          Paid plans are billed monthly in advance by card through Stripe and renew until you cancel. You can cancel at any time and keep
          the plan until the end of the paid month. An upgrade takes effect immediately and costs the difference for the rest of the month.
          If a renewal can’t be charged after several attempts, the account falls back to Free; extra sites are paused, and nothing is
          deleted. Deleting your account ends your subscription immediately, without a refund. Your statutory rights are not affected.
        </p>
        <p>In a demo, nobody is charged.</p>
      </>
    ),
  },
  {
    id: 'data',
    title: 'Your data',
    content: (
      <p>
        Your data remains yours. The operator may use it only to provide the service described here. You can export and delete all of it at
        any time; the <a href={sitePages.privacy}>Privacy Policy</a> explains how, and what is stored.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'No warranty',
    content: (
      <p>
        The software is provided as is, without any warranty that it is free of defects, always available or fit for a particular purpose.
        The figures are not advice. To the extent permitted by law, neither the operator nor the makers of Ranklark are liable for any
        consequences of using it or being unable to use it. Liability that can’t be excluded by law, such as for willful misconduct or gross
        negligence, is not affected.
      </p>
    ),
  },
  {
    id: 'end',
    title: 'Changes and termination',
    content: (
      <p>
        You can leave at any time by <a href={screens.settings}>deleting your account</a>. The operator can change these terms or shut down
        the installation, and should notify you by email early enough for you to export your data. Ranklark does not own the names or data
        of Google’s services, and is neither made nor endorsed by Google.
      </p>
    ),
  },
]

export function TermsPage() {
  return (
    <Article
      title="Terms of Service"
      description="What you can expect from this installation of Ranklark and its operator, and what is expected of you."
      intro={<p>What you can expect from this installation and its operator, and what is expected of you.</p>}
      chapters={chapters}
    />
  )
}
