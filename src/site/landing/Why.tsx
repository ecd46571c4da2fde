import { type LucideIcon, Mail, MessageSquare, Smartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import { plans } from '../../core/billing/plans.ts'
import { frame } from '../parts/frame.tsx'
import { Sold } from '../sold.tsx'
import { otherSuites, sectionTitle } from './links.ts'

export function Why() {
  return (
    <section aria-labelledby="why" className="border-t border-line bg-surface">
      <div className={`${frame} py-16 sm:py-24`}>
        <h2 id="why" className={sectionTitle}>
          Why Ranklark?
        </h2>
        <p className="mt-3 max-w-[60ch] text-[1rem] leading-7 text-muted">
          Search Console has the data, but you have to go and look. Most weeks, nothing changes; by the time you notice something that
          matters, it’s too late.
        </p>
        <ul className="mt-10 grid grid-cols-1 gap-px overflow-hidden rounded-card border border-line bg-line md:grid-cols-2">
          <Card title="It comes to you" drawing={<WayDrawing />}>
            Each alert says what changed, by how much, compared with which days, and which pages are behind it. By email, Slack or SMS, when
            you want it.
          </Card>
          <Card title="It tells a blip from a drop" drawing={<StandOutDrawing />}>
            A change must cross your threshold and stand out from the previous twelve weeks. Daily data counts only once it’s final.
          </Card>
          <Card title="It keeps your history" drawing={<KeptDrawing />}>
            Search Console deletes data after 16 months. Ranklark keeps every day.
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

// Small drawings of what the cards next to them say; they show nobody's real data.

const ways: readonly [name: string, icon: LucideIcon][] = [
  ['Email', Mail],
  ['Slack', MessageSquare],
  ['SMS', Smartphone],
]

/** One change, three ways. */
function WayDrawing() {
  return (
    <div aria-hidden className="flex min-h-20 flex-wrap items-center gap-3">
      <svg viewBox="0 0 96 56" className="h-14 w-24 shrink-0 overflow-visible" fill="none">
        <path
          d="M0 14 16 10 32 17 48 12 64 40 80 44"
          className="stroke-line-control"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
        <circle cx="64" cy="40" r="5" className="fill-dawn" />
      </svg>
      <ul className="flex flex-wrap gap-2">
        {ways.map(([name, Icon]) => (
          <li key={name} className="inline-flex items-center gap-1.5 rounded-full border border-line bg-page px-2.5 py-1 text-sm">
            <Icon className="size-3.5 text-muted" />
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}

const weeks = [26, 31, 24, 29, 33, 27, 30, 25, 32, 28, 26, 30].map((week, index) => ({ left: index * 18 + 4, height: week * 1.7 }))

/** Ordinary weeks, their usual range, and the week outside it. */
function StandOutDrawing() {
  return (
    <svg viewBox="0 0 248 80" aria-hidden className="h-20 w-62 max-w-full">
      <rect x="0" y="8" width="248" height="30" rx="3" className="fill-sunken" />
      {weeks.map(({ left, height }) => (
        <rect key={left} x={left} y={76 - height} width="10" height={height} rx="2" className="fill-line-control" />
      ))}
      <rect x={weeks.length * 18 + 8} y="54" width="10" height="22" rx="2" className="fill-dawn" />
      <path d="M0 76.5h248" className="stroke-line-control" />
    </svg>
  )
}

/** 16 months, and no end. */
function KeptDrawing() {
  return (
    <div
      aria-hidden
      className="grid min-h-20 max-w-md grid-cols-[auto_minmax(0,1fr)] content-center items-center gap-x-3 gap-y-2.5 text-sm"
    >
      <span className="text-muted">Search Console</span>
      <span className="flex h-6 w-1/2 items-center justify-end rounded-sm bg-sunken px-2 text-xs whitespace-nowrap text-muted">
        16 months
      </span>
      <span className="text-muted">Ranklark</span>
      <span className="flex h-6 items-center justify-end rounded-sm bg-brand-soft px-2 text-xs font-medium text-brand">Forever</span>
    </div>
  )
}

/** The bars are as long as the prices are high. */
function PriceDrawing() {
  const rows = [
    { name: 'Other SEO suites', amount: otherSuites, className: 'bg-sunken' },
    { name: 'Ranklark', amount: plans.pro.price, className: 'bg-dawn' },
  ]
  return (
    <dl className="grid min-h-20 max-w-md grid-cols-[auto_minmax(0,1fr)] content-center items-center gap-x-3 gap-y-2.5 text-sm">
      {rows.map(({ name, amount, className }) => (
        <div key={name} className="contents">
          <dt className="whitespace-nowrap text-muted">{name}</dt>
          <dd className="flex items-center gap-2">
            <svg aria-hidden viewBox={`0 0 ${otherSuites} 10`} preserveAspectRatio="none" className="h-6 min-w-0 flex-1">
              <rect width={amount} height="10" className={className.replace('bg-', 'fill-')} />
            </svg>
            <span className="shrink-0 font-medium tabular-nums">${amount}/month</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** One line being watched, and nothing else. */
function WatchDrawing() {
  return (
    <svg viewBox="0 0 248 80" aria-hidden className="h-20 w-62 max-w-full" fill="none">
      <path d="M0 76.5h248" className="stroke-line-control" />
      <path
        d="M0 50 28 44 56 52 84 40 112 46 140 36 168 42 196 20 224 26"
        className="stroke-line-control"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="M168 42 196 20" className="stroke-dawn" strokeWidth="2.5" strokeLinecap="round" />
      <circle cx="196" cy="20" r="5" className="fill-dawn" />
      <circle cx="196" cy="20" r="13" className="stroke-dawn" strokeWidth="2" />
    </svg>
  )
}
