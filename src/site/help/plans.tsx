import { screens } from '../../contract/screens.ts'
import { catalogue } from '../../core/billing/plans.ts'
import type { Chapter } from '../parts/Article.tsx'
import { detailsOf } from './copy.ts'

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
      <h3>Changing your plan</h3>
      <p>
        Change your plan under <a href={screens.settings}>Settings</a>. Upgrades take effect immediately, and you pay the difference for the
        rest of the month. Downgrades and cancellations take effect at the end of the month you’ve paid for; you can undo them until then.
        If a payment fails, we email you, and you keep your plan while we retry.
      </p>
      <p>
        If your new plan covers fewer sites, the extra ones are paused and you choose which to keep active. Other features your plan no
        longer includes are paused, too: report schedules stop, and shared links and API keys stop working. Nothing is deleted, and
        everything resumes when you upgrade again.
      </p>
    </>
  ),
}
