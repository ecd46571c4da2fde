import type { ReactNode } from 'react'
import { frame } from '../parts/frame.ts'
import { Shot } from '../parts/Shot.tsx'
import { sectionTitle } from './links.ts'

/** What the product sends and shows, instead of words about it. */
export function Proof() {
  return (
    <div className={`${frame} flex flex-col gap-20 py-16 sm:gap-28 sm:py-24`}>
      <section aria-labelledby="mail" className="grid items-center gap-10 lg:grid-cols-[5fr_6fr] lg:gap-16 xl:grid-cols-[1fr_37.5rem]">
        <div>
          <h2 id="mail" className={sectionTitle}>
            Everything you need is in the email
          </h2>
          <Text>
            The subject line says what happened. The email compares both weeks, charts each day and lists the pages behind the change,
            biggest first. You can decide on the train whether it can wait until you’re back at your desk.
          </Text>
          <Text>You get one alert per change, and a note when it recovers.</Text>
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
            Test a rule on last year’s data
          </h2>
          <Text>
            See when each rule would have fired over your entire history. Adjust the threshold and watch the marks change: with too many
            alerts you’d stop reading them, and with none you’d miss what matters.
          </Text>
        </div>
        <div className="overflow-hidden rounded-card lg:max-w-none sm:max-w-[30.375rem]">
          <Shot
            name="backtest"
            alt="A backtest: the number of days a rule would have fired since last year, each marked on a timeline."
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
