import { screens } from '../../contract/screens.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

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
