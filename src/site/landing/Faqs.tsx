import type { ReactNode } from 'react'
import { sitePages } from '../../contract/screens.ts'
import { templates } from '../../core/alerting/templates.ts'
import { plans } from '../../core/billing/plans.ts'
import { frame } from '../parts/frame.tsx'
import { Sold } from '../sold.tsx'
import { otherSuites, price, sectionTitle } from './links.ts'

export function Faqs() {
  return (
    <section aria-labelledby="faqs" className="border-t border-line bg-surface">
      <div className={`${frame} py-16 sm:py-24`}>
        <h2 id="faqs" className={sectionTitle}>
          FAQs
        </h2>
        <dl className="mt-8 divide-y divide-line border-t border-line">
          <Question asked="Do I have to install anything?">
            <p>
              No. There’s no script or plugin to add. Connect Search Console with one click, and disconnect just as easily. You can also
              skip the connection and upload Search Console export files.
            </p>
          </Question>
          <Question asked="What kinds of alerts are there?">
            <ul className="flex flex-col gap-1.5">
              {templates.map(({ id, name, description }) => (
                <li key={id}>
                  <strong className="font-semibold text-text">{name}.</strong> {description}
                </li>
              ))}
            </ul>
            <p className="mt-3">Set up any of them in one step. You can change every threshold.</p>
          </Question>
          <Question asked="Why not use other SEO suites?">
            <p>
              If you need competitors’ keywords, backlinks or a crawler, use a suite
              <Sold>: that’s what the ${otherSuites}/month is for</Sold>. But their traffic figures are estimates. For your own sites,
              Google’s figures are the real ones
              <Sold otherwise=".">, and monitoring them costs {price}.</Sold>
            </p>
          </Question>
          <Question asked="How fast are the alerts?">
            <p>
              Google finalizes each day’s data after two to three days. Ranklark checks a day as soon as it’s final, because partial data
              causes false alarms.{' '}
              <Sold otherwise="You choose instant alerts, or a daily or weekly digest. Ranklark also">
                How soon you get the alert depends on your plan: {lastOf(plans.free.alertFrequency)} on Free, daily on Pro, instantly on
                Agency. Agency also
              </Sold>{' '}
              compares today’s hourly data with what’s expected by that time of day. If the whole site drops, you can find out within hours,
              and the final data confirms or withdraws the alert.
            </p>
          </Question>
          <Question asked="Where is my data?">
            <p>
              In this installation’s databases. Your data is never sold, and there are no third-party trackers. The{' '}
              <a href={sitePages.privacy} className="text-brand underline underline-offset-2">
                privacy policy
              </a>{' '}
              explains what leaves the server, and when.
            </p>
          </Question>
        </dl>
      </div>
    </section>
  )
}

const lastOf = (names: readonly string[]): string => names.at(-1) ?? ''

function Question({ asked, children }: { asked: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-16 gap-y-2 py-6 lg:grid-cols-[5fr_7fr]">
      <dt className="text-[1rem] font-semibold">{asked}</dt>
      <dd className="max-w-[64ch] text-[0.9375rem] leading-6 text-muted">{children}</dd>
    </div>
  )
}
