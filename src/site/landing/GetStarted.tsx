import { catalog } from '../../core/billing/plans.ts'
import { frame } from '../parts/frame.tsx'
import { Sold } from '../sold.tsx'
import { callToAction, price, sectionTitle, signUp } from './links.ts'

export function GetStarted() {
  return (
    <section aria-labelledby="start" className={`${frame} py-16 sm:py-24`}>
      <div className="grid gap-10 lg:grid-cols-[5fr_7fr] lg:gap-16">
        <div>
          <h2 id="start" className={sectionTitle}>
            Get Started
          </h2>
          <p className="mt-3 max-w-[44ch] text-[1rem] leading-7 text-muted">
            Sign up, connect Search Console with one click and choose your sites. Your first data arrives within minutes.
          </p>
          <a href={signUp} className={`mt-6 ${callToAction}`}>
            <Sold otherwise="Start now">Start now for {price}</Sold>
          </a>
        </div>
        <Sold otherwise={<Steps />}>
          <Plans />
        </Sold>
      </div>
    </section>
  )
}

function Plans() {
  return (
    <table className="w-full text-left text-[0.9375rem]">
      <caption className="sr-only">Plans</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Plan</th>
          <th scope="col">Features</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody>
        {catalog.map(({ id, name, price: dollars, features }) => (
          <tr key={id} className="border-b border-line align-top first:border-t">
            <th scope="row" className="w-20 py-4 pr-4 font-semibold sm:w-28">
              {name}
            </th>
            <td className="py-4 pr-4 leading-6 text-muted">{features.join(' · ')}</td>
            <td className="py-4 text-right font-medium whitespace-nowrap tabular-nums">{dollars === 0 ? '$0' : `$${dollars}/month`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const steps: readonly [what: string, how: string][] = [
  ['Sign up', 'Use a username and an email address, or your Google account.'],
  ['Connect', 'Google asks you to give Ranklark read-only access to Search Console.'],
  ['Choose', 'Choose the sites to monitor. Slack, instant alerts, reports and the API are included.'],
]

/** Shown instead of plans where there are none. */
function Steps() {
  return (
    <ol className="divide-y divide-line border-y border-line text-[0.9375rem]">
      {steps.map(([what, how]) => (
        <li key={what} className="flex gap-4 py-4">
          <span className="w-20 shrink-0 font-semibold sm:w-28">{what}</span>
          <span className="leading-6 text-muted">{how}</span>
        </li>
      ))}
    </ol>
  )
}
