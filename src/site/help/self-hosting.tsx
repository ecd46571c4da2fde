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
          <code>BASE_URL</code>: the URL people open. With <code>https://</code>, cookies are secure.
        </li>
        <li>
          <code>SMTP_URL</code>, <code>MAIL_FROM</code>: your mail server. Without them, no email is sent, and the app says so.
        </li>
        <li>
          <code>SUPPORT_EMAIL</code>: the address that receives messages from the contact form. Without it, the form says that support isn’t
          set up.
        </li>
        <li>
          <code>DATA_DIR</code>: the databases, the secret key and uploads. Back up this folder while the server is stopped. Anyone with the
          folder has the data, so keep backups as secure as the machine.
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
