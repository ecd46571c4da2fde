import type { ReactNode } from 'react'
import { sitePages } from '../../contract/screens.ts'
import { templates } from '../../core/alerting/templates.ts'
import { plans } from '../../core/billing/plans.ts'
import { Sold } from '../sold.tsx'
import { frame } from '../parts/frame.ts'
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
              No. There is no script for your pages and no plug-in. You allow Ranklark to read your Search Console with one click, and take
              that back just as easily. Without a Google connection you can upload the files that Search Console exports.
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
            <p className="mt-3">Each is ready to be set up, and every threshold is yours to change.</p>
          </Question>
          <Question asked="Why not use other SEO suites?">
            <p>
              If you need rivals’ keywords, backlinks or a crawler, use one: <Sold>at ${otherSuites}/month </Sold>that is what they are for,
              and their traffic figures are estimates. If you want to know what happens to your own sites, Google’s figures are the real
              ones<Sold otherwise=".">, and {price} is enough to have them watched.</Sold>
            </p>
          </Question>
          <Question asked="How soon would I know?">
            <p>
              Google takes two to three days to finish counting one. Ranklark looks as soon as a day is final, because a verdict on half a
              day would be a false alarm.{' '}
              <Sold otherwise="You are told at once, in the morning or once a week, as you like. Ranklark also">
                How quickly you are told then depends on your plan: {lastOf(plans.free.alertFrequency)} on Free, daily on Pro, at once on
                Agency. Agency also
              </Sold>{' '}
              compares today with the same hours of other weeks: when the whole site drops, you can know within hours, and the final day
              confirms it or takes it back.
            </p>
          </Question>
          <Question asked="Where is my data?">
            <p>
              On the machine this installation runs on, and nowhere else. Nobody’s figures are sold, shared or measured by others; the{' '}
              <a href={sitePages.privacy} className="text-brand underline underline-offset-2">
                privacy policy
              </a>{' '}
              says what leaves the machine, and when.
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
