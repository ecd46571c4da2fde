import type { ReactNode } from 'react'
import { demoLogin } from '../../contract/demo.ts'
import { plans } from '../../core/billing/plans.ts'
import { Document } from '../parts/Document.tsx'
import { frame, SiteFooter, SiteHeader } from '../parts/frame.tsx'
import { Shot } from '../parts/Shot.tsx'
import { Sold } from '../sold.tsx'
import { Faqs } from './Faqs.tsx'
import { GetStarted } from './GetStarted.tsx'
import { callToAction, logIn, price, sectionTitle, signUp } from './links.ts'
import { WhatYouGet } from './WhatYouGet.tsx'
import { Why } from './Why.tsx'

const description =
  'Ranklark monitors your Search Console data and alerts you by email, Slack or SMS when clicks, impressions, CTR or positions really change.'

/** What visitors see at `/` (SPEC §2). A demo also says how to try it. */
export function LandingPage({ demo = false }: { demo?: boolean }) {
  return (
    <Document title="Ranklark · SEO insights that find you" description={description}>
      {demo && <DemoNote />}
      <SiteHeader>
        <a href={logIn} className="inline-flex h-10 items-center rounded-control px-3.5 font-medium hover:bg-sunken">
          Log in
        </a>
        <a
          href={signUp}
          className="inline-flex h-10 items-center rounded-control border border-line-control bg-surface px-3.5 font-medium hover:bg-sunken"
        >
          Sign up
        </a>
      </SiteHeader>
      <main id="content" tabIndex={-1} className="outline-none">
        <Hero />
        <Why />
        <Proof />
        <WhatYouGet />
        <GetStarted />
        <Faqs />
      </main>
      <SiteFooter />
    </Document>
  )
}

/** Only where the server is a demo. */
function DemoNote() {
  return (
    <aside aria-label="Demo" className="border-b border-line bg-brand-soft">
      <p className={`${frame} py-2.5`}>
        <strong className="font-semibold">This is a demo with made-up sites.</strong>{' '}
        <a href={logIn} className="font-medium text-brand underline underline-offset-2">
          Log in
        </a>{' '}
        as <code>{demoLogin.username}</code> with the password <code>{demoLogin.password}</code>. Three sample sites are already connected.
      </p>
    </aside>
  )
}

function Hero() {
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
            alert says what changed, on which pages and when it started. On quiet days, it stays quiet.
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

/** The logo's lark and line, drawn large: days of figures, and the one you are alerted to. */
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

/** Shows what the product sends and displays, rather than describing it. */
function Proof() {
  return (
    <div className={`${frame} flex flex-col gap-20 py-16 sm:gap-28 sm:py-24`}>
      <section aria-labelledby="mail" className="grid items-center gap-10 lg:grid-cols-[5fr_6fr] lg:gap-16 xl:grid-cols-[1fr_37.5rem]">
        <div>
          <h2 id="mail" className={sectionTitle}>
            Everything you need is in the email
          </h2>
          <Text>
            The subject line says what happened. The email compares the two weeks, charts each day and lists the pages behind the change,
            biggest first. You can tell from your phone whether it can wait until you’re back at your desk.
          </Text>
          <Text>You get one alert per change and, if you like, a message when it recovers.</Text>
        </div>
        <div className="overflow-hidden rounded-card ring-1 ring-line sm:max-w-[37.5rem]">
          <Shot
            name="mail"
            alt="An alert email: site-wide clicks dropped by more than half, with a table of both weeks, a bar for each day and the pages that contributed most."
            sizes="(min-width: 64rem) 37.5rem, calc(100vw - 4rem)"
          />
        </div>
      </section>
      <section aria-labelledby="backtest" className="grid items-center gap-10 lg:grid-cols-[30.375rem_1fr] lg:gap-16">
        <div className="lg:order-last">
          <h2 id="backtest" className={sectionTitle}>
            Test a rule on your past data
          </h2>
          <Text>
            See when each rule would have fired over your entire history. Adjust the threshold and watch the marks change: with too many
            alerts you’d stop reading them, and with none you’d miss what matters.
          </Text>
        </div>
        <div className="overflow-hidden rounded-card lg:max-w-none sm:max-w-[30.375rem]">
          <Shot
            name="backtest"
            alt="A backtest: how many days a rule would have fired on since last year, with each day marked on a timeline."
            sizes="30.375rem"
          />
        </div>
      </section>
    </div>
  )
}

function Text({ children }: { children: ReactNode }) {
  return <p className="mt-4 max-w-[56ch] text-[1rem] leading-7 text-pretty text-muted">{children}</p>
}
