import type { ReactNode } from 'react'
import { plans } from '../../core/billing/plans.ts'
import { Sold } from '../sold.tsx'
import { frame } from '../parts/frame.ts'
import { KeptDrawing, PriceDrawing, StandOutDrawing, WatchDrawing, WayDrawing } from './drawings.tsx'
import { otherSuites, sectionTitle } from './links.ts'

export function Why() {
  return (
    <section aria-labelledby="why" className="border-t border-line bg-surface">
      <div className={`${frame} py-16 sm:py-24`}>
        <h2 id="why" className={sectionTitle}>
          Why Ranklark?
        </h2>
        <p className="mt-3 max-w-[60ch] text-[1rem] leading-7 text-muted">
          Search Console has the data, but you have to go and look. Most weeks, nothing changes; by the time it matters, it’s too late.
        </p>
        <ul className="mt-10 grid grid-cols-1 gap-px overflow-hidden rounded-card border border-line bg-line md:grid-cols-2">
          <Card title="It comes to you" drawing={<WayDrawing />}>
            Each alert says what changed, by how much, compared with which days, and which pages are behind it. By email, Slack or SMS, when
            you want it.
          </Card>
          <Card title="It tells a blip from a drop" drawing={<StandOutDrawing />}>
            A change must cross your threshold and stand out from the previous twelve weeks. Incomplete days never count.
          </Card>
          <Card title="It keeps your history" drawing={<KeptDrawing />}>
            Search Console deletes data after 16 months. Ranklark keeps every day, in your own database.
          </Card>
          <Sold
            otherwise={
              <Card title="It does one thing" drawing={<WatchDrawing />}>
                Other SEO suites add keyword databases and crawlers. Ranklark monitors your sites, using Google’s own data.
              </Card>
            }
          >
            <Card title={`It costs $${plans.pro.price}, not $${otherSuites}`} drawing={<PriceDrawing />}>
              Other SEO suites bundle alerts with keyword databases and crawlers. Ranklark does one thing, using Google’s own data.
            </Card>
          </Sold>
        </ul>
      </div>
    </section>
  )
}

function Card({ title, drawing, children }: { title: string; drawing: ReactNode; children: ReactNode }) {
  return (
    <li className="flex min-w-0 flex-col bg-surface p-6 sm:p-8">
      <div className="min-h-20">{drawing}</div>
      <h3 className="mt-6 text-[1.0625rem] font-semibold">{title}</h3>
      <p className="mt-1.5 max-w-[52ch] text-[0.9375rem] leading-6 text-muted">{children}</p>
    </li>
  )
}
