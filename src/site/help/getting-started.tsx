import { screens } from '../../contract/screens.ts'
import { catalog } from '../../core/billing/plans.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'
import { detailsOf } from './copy.ts'

export const gettingStarted: Chapter = {
  id: 'getting-started',
  title: 'Getting started',
  content: (
    <>
      <ol>
        <li>
          <strong>Register</strong> with a username, an email address and a password, or click “Connect with Google Search Console” on the{' '}
          <a href={screens.login}>login page</a>.
        </li>
        <Sold>
          <li>
            <strong>Choose a plan.</strong> Free covers one site, no card required.
          </li>
        </Sold>
        <li>
          <strong>Connect Search Console.</strong> Google asks you to let Ranklark view your Search Console data. Keep the permission box
          checked, or there will be nothing to show. Access is read-only.
        </li>
        <li>
          <strong>Choose your sites.</strong> The list shows every property your Google account can access. A <em>domain property</em>{' '}
          covers every URL on a domain; a <em>URL-prefix property</em> covers only URLs that start with its prefix.
        </li>
      </ol>
      <p>You can stop at any step. Log in again from any browser, and the dashboard shows the next one.</p>
      <p>
        Data for the last few weeks arrives within minutes. Ranklark then imports your older history, up to the 16 months Google keeps, and
        shows the progress in the header. You can use everything in the meantime. Some alerts start only once there’s enough history to know
        what’s normal.
      </p>
      <p>
        Each property starts with five rules, four of them on. Review them under <a href={screens.alertSettings}>Alert Settings</a>, where
        each rule shows the days it would have fired.
      </p>
    </>
  ),
}

export const plansChapter: Chapter = {
  id: 'plans',
  title: 'Plans',
  sold: true,
  content: (
    <>
      {catalog.map((plan) => (
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
