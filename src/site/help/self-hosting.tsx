import { screens } from '../../contract/screens.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

export const selfHosting: Chapter = {
  id: 'self-hosting',
  title: 'Self-hosting',
  content: (
    <>
      <p>
        Ranklark runs on a single machine and needs only Node: <code>npm start</code> installs, builds and starts everything. Without Google
        keys, it runs as a demo with made-up sites. <code>README.md</code> lists every setting. Start with these:
      </p>
      <ul>
        <li>
          <code>GOOGLE_CLIENT_ID</code>, <code>GOOGLE_CLIENT_SECRET</code>: your own OAuth client, from a Google Cloud project with the
          Search Console API enabled.
        </li>
        <li>
          <code>BASE_URL</code>: the URL people open. With <code>https://</code>, cookies are marked secure.
        </li>
        <li>
          <code>SMTP_URL</code>, <code>MAIL_FROM</code>: your mail server. Without them, no email is sent, and the app says so.
        </li>
        <li>
          <code>SUPPORT_EMAIL</code>: the address that receives messages from the contact form. Without it, the form says that support isn’t
          set up.
        </li>
        <li>
          <code>DATA_DIR</code>: the folder with the databases, the secret key and uploads. Back it up with <code>npm run backup</code>,
          whether or not the server is running. Anyone with the folder or a backup has the data, so keep both secure.
        </li>
        <li>
          Twilio keys for SMS alerts<Sold>, and Stripe keys for card payments</Sold>.
        </li>
        <Sold
          otherwise={
            <li>
              <code>SITES_PER_PERSON</code>: how many sites each account can monitor. Without it, there’s no limit.
            </li>
          }
        >
          <li>
            <code>BILLING=off</code>: turns off payment and gives everyone every feature. This is the default without Stripe keys.
          </li>
        </Sold>
      </ul>
      <p>
        <code>/healthz</code> reports that the process is up, <code>/readyz</code> that its databases respond, and <code>/metrics</code>{' '}
        serves Prometheus metrics.
      </p>
    </>
  ),
}

export const moving: Chapter = {
  id: 'import-export',
  title: 'Import and export',
  content: (
    <>
      <h3>Import data</h3>
      <p>
        In the property menu, choose “Import a file…”. You can import the ZIP or CSV from Search Console’s Export button (set the chart to
        “Daily” and turn off comparison), any CSV with a date, clicks, impressions and CTR or position, or the tables of a BigQuery bulk
        export (select all of their files at once). An import is all or nothing: at the first invalid row, it stops and tells you the file
        and line. Importing a newer file replaces the days it contains. An imported property works like any other but doesn’t update
        automatically.
      </p>
      <p>
        You can also import older days into a property that’s connected to Google. If days overlap, Google’s data is kept, and the result
        lists the days that were skipped.
      </p>
      <h3>Export data</h3>
      <p>
        “Export” downloads a CSV of exactly what your filters match, including rows that aren’t on screen. Under{' '}
        <a href={screens.settings}>Settings</a>, “Export my data” creates a ZIP of everything: your account, rules, alerts and all stored
        data for each property.
      </p>
    </>
  ),
}
