import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { sitePages } from '../../contract/screens.ts'
import { plans } from '../../core/billing/plans.ts'
import { frame } from '../parts/frame.tsx'
import { Sold } from '../sold.tsx'
import { sectionTitle } from './links.ts'

const items: readonly [what: string, how: ReactNode][] = [
  [
    'Alerts that matter',
    'Ranking changes, traffic spikes, new keywords, lost rankings, new ranking pages and drops in impressions or clicks.',
  ],
  ['Your channels', 'Email, Slack or SMS: instantly or as a digest, in your time zone and outside your quiet hours.'],
  [
    'Keywords and pages to work on',
    'Keywords ranked by the extra clicks a better position would bring, declining pages, and pages that compete for the same keyword.',
  ],
  [
    'Reports',
    <Sold key="reports" otherwise="Weekly and monthly, as a web page or PDF, emailed on a schedule, under your own brand for each client.">
      Weekly and monthly, as a web page or PDF, emailed on a schedule ({plans.pro.name} and up); under your own brand for each client (
      {plans.agency.name}).
    </Sold>,
  ],
  ['Unlimited history', 'Keep your Search Console data beyond 16 months, and export it as CSV or through the API.'],
]

export function WhatYouGet() {
  return (
    <section aria-labelledby="get" className="border-y border-line bg-surface">
      <div className={`${frame} grid gap-8 py-16 sm:py-24 lg:grid-cols-[5fr_7fr] lg:gap-16`}>
        <div>
          <h2 id="get" className={sectionTitle}>
            {"What You'll Get"}
          </h2>
          <p className="mt-3 max-w-[40ch] text-[1rem] leading-7 text-muted">
            The{' '}
            <a href={sitePages.help} className="text-brand underline underline-offset-2">
              Help Center
            </a>{' '}
            explains how each of these works.
          </p>
        </div>
        <ul className="divide-y divide-line">
          {items.map(([what, how]) => (
            <li key={what} className="flex gap-4 py-4 first:pt-0 last:pb-0 lg:first:pt-2">
              <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-positive" />
              <p className="text-[1rem] leading-6">
                <strong className="font-semibold">{what}.</strong> <span className="text-muted">{how}</span>
              </p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
