import { plans } from '../../core/billing/plans.ts'
import { frame } from '../parts/frame.ts'
import { Shot } from '../parts/Shot.tsx'
import { Sold } from '../sold.tsx'
import { callToAction, price, signUp } from './links.ts'

export function Hero() {
  return (
    <section aria-labelledby="hero" className="overflow-hidden">
      <div className={`${frame} relative pt-14 sm:pt-20`}>
        <RisingLine className="pointer-events-none absolute top-4 right-8 hidden w-[30rem] lg:block" />
        <div className="relative max-w-[38rem]">
          <h1 id="hero" className="text-[2.75rem] leading-[1.05] font-semibold tracking-[-0.03em] text-balance sm:text-[4rem]">
            SEO insights that find you
          </h1>
          <p className="mt-5 text-[1.0625rem] leading-7 text-pretty text-muted sm:text-[1.1875rem] sm:leading-8">
            Ranklark checks your Search Console data every day and alerts you when clicks, impressions, CTR or positions really change. Each
            alert says what changed, on which pages and since when. On quiet days, it stays quiet.
          </p>
          <div className="mt-8 flex flex-wrap items-center gap-x-5 gap-y-3">
            <a href={signUp} className={callToAction}>
              <Sold otherwise="Sign up now">Sign up now for {price}</Sold>
            </a>
            <Sold>
              <p className="text-muted">
                {plans.free.siteLimit === 1 ? 'One site' : `${plans.free.siteLimit} sites`} free. No card required.
              </p>
            </Sold>
          </div>
        </div>
      </div>
      <div className="mx-auto mt-12 max-w-[84rem] px-4 sm:mt-16 sm:px-6 lg:px-8">
        <div className="overflow-hidden rounded-t-card bg-surface shadow-float ring-1 ring-line">
          <Shot
            name="dashboard"
            alt="The dashboard for a lamp shop: clicks, impressions, CTR and position for the last seven complete days compared with the week before, and today’s hourly clicks compared with the usual level."
            sizes="(min-width: 84rem) 80rem, calc(100vw - 4rem)"
          />
        </div>
      </div>
    </section>
  )
}

/** The logo's lark and line, drawn large: days of figures, and the one that is told. */
function RisingLine({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 576 320" aria-hidden className={className} fill="none">
      <path
        d="M0 262 48 246 96 256 144 228 192 238 240 206 288 216 336 176 384 190 432 142 480 150 528 92"
        className="stroke-dawn"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="528" cy="92" r="6" className="fill-dawn" />
      <path
        transform="translate(428 6) scale(3.2)"
        d="M4.5 7.5c4.5 0 7.8 1.5 9.8 4.3 1-2.3 2.7-3.5 5-3.5 2 0 3.5.9 4.3 2.5l3.4 1.2-3.3 1.3c-.6 3.3-3.3 5.4-7.2 5.4-3 0-5.4-.9-7.2-2.7l-4.3.5 2.6-2.4C6 12.3 4.9 10.1 4.5 7.5Z"
        className="fill-ink dark:fill-brand"
      />
    </svg>
  )
}
