import { screens, sitePages } from '../../contract/screens.ts'
import { catalogue } from '../../core/billing/plans.ts'
import { Sold } from '../sold.tsx'
import { Article, type Chapter } from '../parts/Article.tsx'

const chapters: readonly Chapter[] = [
  {
    id: 'parties',
    title: 'Between whom',
    content: (
      <p>
        Ranklark is software that people and companies run on machines of their own. These terms are between you and whoever runs this
        installation, “the operator”. If you run it for yourself alone, there is nobody else, and they are no more than a description.
        Operators who offer it to others should add who they are, where they can be reached and which law applies.
      </p>
    ),
  },
  {
    id: 'service',
    title: 'What you get',
    content: (
      <>
        <p>
          Ranklark reads the figures of your Search Console properties, keeps them, shows them and alerts you by the rules you set.{' '}
          <Sold>
            What your plan includes is what its card says under <a href={screens.settings}>Settings</a>.
          </Sold>
        </p>
        <p>
          The figures are Google’s. They come two to three days late, are revised, and leave out rare queries; when Google stops answering,
          they stop. Figures of today and alerts from them are preliminary. An alert can come late or not at all, for instance because a
          mail was lost. Do not let anything depend on an alert alone that must not fail.
        </p>
        <Sold>
          <p>
            Within how many working days somebody answers what you write to support is said by your plan; it is the operator who promises
            it.
          </p>
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
          Connect only properties that you may look at, and enter only addresses and numbers whose owners want your alerts or reports. Use a
          name and a logo in your reports only if you may.
        </li>
        <li>
          Keep your password and your API keys to yourself. What is done with your account counts as done by you, until you tell the
          operator of its misuse.
        </li>
        <li>
          Do not try to get at other people’s data, to get round the limits of your <Sold otherwise="account">plan</Sold>, or to hinder the
          installation. Who does so can be locked out.
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
          {catalogue.map(({ id, name, price }) => (
            <li key={id}>
              {name}: {price === 0 ? '$0' : `$${price} a month`}
            </li>
          ))}
        </ul>
        <p>
          Paid plans are charged by card through Stripe, for a month in advance, and renew until you cancel. You can do that at any time;
          the plan then lasts until the month you have paid for ends. An upgrade begins at once and costs the difference for the rest of the
          month. When a renewal cannot be charged after several attempts, the account goes back to Free; surplus sites are paused and
          nothing is deleted. Deleting your account ends a subscription at once, without a refund. Rights that the law gives you stay as
          they are.
        </p>
        <p>Where this is a demo, nobody is charged anything.</p>
      </>
    ),
  },
  {
    id: 'data',
    title: 'Your data',
    content: (
      <p>
        What you bring in stays yours. The operator may use it to do for you what is described here, and for nothing else. You can take all
        of it along and have it deleted at any time; the <a href={sitePages.privacy}>Privacy Policy</a> says how, and what is stored.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Without warranty',
    content: (
      <p>
        The software comes as it is. Nobody promises that it is free of faults, always there, or fit for a certain purpose, and the figures
        are no advice. As far as the law allows, neither the operator nor those who make Ranklark are liable for what follows from using it,
        or from being unable to. Where the law does not allow that, as with intent or gross negligence, it stays as the law has it.
      </p>
    ),
  },
  {
    id: 'end',
    title: 'Changes and end',
    content: (
      <p>
        You can leave at any time by <a href={screens.settings}>deleting your account</a>. The operator can change these terms or close the
        installation, and should tell you by mail early enough for you to take your data along. Ranklark does not own the names and figures
        of Google’s services, and is neither made nor endorsed by Google.
      </p>
    ),
  },
]

export function TermsPage() {
  return (
    <Article
      title="Terms of Service"
      description="What you can expect of this installation of Ranklark and of whoever runs it, and what is expected of you."
      intro={<p>What you can expect of this installation and of whoever runs it, and what is expected of you.</p>}
      chapters={chapters}
    />
  )
}
