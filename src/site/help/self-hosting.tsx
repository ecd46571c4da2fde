import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

export const selfHosting: Chapter = {
  id: 'self-hosting',
  title: 'Running it yourself',
  content: (
    <>
      <p>
        Ranklark runs on one machine with Node and needs nothing else: <code>npm start</code> installs, builds and starts everything.
        Without Google keys it is a demo with made-up sites. <code>README.md</code> lists all settings; the ones that matter first:
      </p>
      <ul>
        <li>
          <code>GOOGLE_CLIENT_ID</code>, <code>GOOGLE_CLIENT_SECRET</code>: your own OAuth client, in a Google Cloud project with the Search
          Console API switched on.
        </li>
        <li>
          <code>BASE_URL</code>: how browsers reach it; with <code>https://</code> cookies are secure.
        </li>
        <li>
          <code>SMTP_URL</code>, <code>MAIL_FROM</code>: your mail server. Without them no email is sent, and the app says so.
        </li>
        <li>
          <code>SUPPORT_EMAIL</code>: who answers what people write under Help. Without it the form says that nobody was named.
        </li>
        <li>
          <code>DATA_DIR</code>: databases, key and uploads. Back up this folder while the server is stopped. Who has the folder has the
          data, so keep the backup as safe as the machine.
        </li>
        <li>
          Twilio’s keys, if people are to be told by SMS<Sold>; Stripe’s, by which people pay by card</Sold>.
        </li>
        <Sold
          otherwise={
            <li>
              <code>SITES_PER_PERSON</code>: how many sites each person may have monitored. Without it, as many as they like.
            </li>
          }
        >
          <li>
            <code>BILLING=off</code>: nothing is sold, and everybody has everything. So it is wherever Stripe’s keys are missing.
          </li>
        </Sold>
      </ul>
      <p>
        <code>/healthz</code> says that the process is up, <code>/readyz</code> that its databases answer, <code>/metrics</code> has figures
        for Prometheus.
      </p>
    </>
  ),
}
