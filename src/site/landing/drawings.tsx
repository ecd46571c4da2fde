import { Mail, MessageSquare, Smartphone, type LucideIcon } from 'lucide-react'
import { plans } from '../../core/billing/plans.ts'
import { otherSuites } from './links.ts'

// Small drawings of what the cards beside them say; they are no figures of anybody.

const ways: readonly [name: string, icon: LucideIcon][] = [
  ['Email', Mail],
  ['Slack', MessageSquare],
  ['SMS', Smartphone],
]

/** One change, three ways. */
export function WayDrawing() {
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

/** Weeks as they come, the room they usually take, and the one outside of it. */
export function StandOutDrawing() {
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
export function KeptDrawing() {
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
export function PriceDrawing() {
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

/** One line, and an eye on it: nothing else. */
export function WatchDrawing() {
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
