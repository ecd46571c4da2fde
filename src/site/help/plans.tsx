import { screens } from '../../contract/screens.ts'
import { catalogue } from '../../core/billing/plans.ts'
import type { Chapter } from '../parts/Article.tsx'
import { detailsOf } from './plan-words.ts'

export const plansChapter: Chapter = {
  id: 'plans',
  title: 'Plans',
  sold: true,
  content: (
    <>
      {catalogue.map((plan) => (
        <div key={plan.id}>
          <h3>
            {plan.name}, ${plan.price}
            {plan.price > 0 && '/month'}
          </h3>
          <p>{plan.features.join(', ')}.</p>
          <ul>
            {detailsOf(plan).map(([what, how]) => (
              <li key={what}>
                <strong>{what}</strong>: {how}
              </li>
            ))}
          </ul>
        </div>
      ))}
      <h3>Changing it</h3>
      <p>
        You change it under <a href={screens.settings}>Settings</a>. A better plan begins at once, against the difference for the rest of
        the month. A smaller one, or cancelling, takes effect when the month you have paid for ends, and can be taken back until then. If a
        payment fails, you get a mail and keep your plan while it is tried again.
      </p>
      <p>
        When a plan no longer covers all of your sites, the surplus ones are paused and you choose which go on. What else it no longer
        covers rests: report schedules pause, links to reports and API keys are refused. Nothing is deleted, and all of it goes on by itself
        once a plan covers it again.
      </p>
    </>
  ),
}
