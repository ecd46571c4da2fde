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
            The mail says it all
          </h2>
          <Text>
            The subject already tells what happened. Below it stand both weeks, the days one by one and the pages that account for the
            change, largest first. You can decide on the train whether it can wait until you are back at your desk.
          </Text>
          <Text>A change is told once. When it has passed, whoever was told of it hears that as well.</Text>
        </div>
        <div className="overflow-hidden rounded-card ring-1 ring-line sm:max-w-[37.5rem]">
          <Shot
            name="mail"
            alt="An alert by e-mail: clicks across a site dropped by more than half, with both weeks in a table, a bar for each day and the pages that contributed most."
            sizes="(min-width: 64rem) 37.5rem, calc(100vw - 4rem)"
          />
        </div>
      </section>
      <section aria-labelledby="backtest" className="grid items-center gap-10 lg:grid-cols-[30.375rem_1fr] lg:gap-16">
        <div className="lg:order-last">
          <h2 id="backtest" className={sectionTitle}>
            Try a rule on last year first
          </h2>
          <Text>
            Beside each rule stands on which days it would have alerted, over all the history there is. Move a threshold and watch the
            marks: too many, and you would stop reading; none at all, and you would miss what you want to know.
          </Text>
        </div>
        <div className="overflow-hidden rounded-card lg:max-w-none sm:max-w-[30.375rem]">
          <Shot
            name="backtest"
            alt="A backtest: on how many days a rule would have alerted since last year, with a mark for each of them on a timeline."
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
