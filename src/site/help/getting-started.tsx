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
          <strong>Register</strong> with a username, an e-mail address and a password, or press “Connect with Google Search Console” on the{' '}
          <a href={screens.login}>login page</a>.
        </li>
        <Sold>
          <li>
            <strong>Choose a plan.</strong> Free watches one site and needs no card.
          </li>
        </Sold>
        <li>
          <strong>Connect Search Console.</strong> Google asks whether Ranklark may read your Search Console data. Leave that box ticked:
          without it there is nothing to show. Ranklark can read, and can change nothing.
        </li>
        <li>
          <strong>Choose your sites.</strong> The list holds every property your Google account may see. A <em>domain property</em> covers
          all addresses of a domain; a <em>URL-prefix property</em> only those that begin with its address.
        </li>
      </ol>
      <p>You can stop at any step. Log in again, in any browser, and the dashboard shows what comes next.</p>
      <p>
        The last weeks are there within minutes. Then the older history is fetched, back to the 16 months that Google keeps; the header
        shows how far it is. You can work meanwhile. Some alerts wait until enough weeks are known to tell what is usual.
      </p>
      <p>
        Each property starts with four rules, three of which are on. Look at them under <a href={screens.alertSettings}>Alert Settings</a>:
        beside each stands on which days it would have alerted.
      </p>
    </>
  ),
}
