import type { Chapter } from '../parts/Article.tsx'

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
          <code>SMTP_URL</code>, <code>MAIL_FROM</code>: your mail server. Without them no mail is sent.
        </li>
        <li>
          <code>SUPPORT_EMAIL</code>: who answers what people write under Help. Without it the form says that nobody was named.
        </li>
        <li>
          <code>DATA_DIR</code>: databases, key and uploads. Back up this folder while the server is stopped. Who has the folder has the
          data, so keep the backup as safe as the machine.
        </li>
        <li>Stripe’s and Twilio’s keys, if people are to pay by card or be told by SMS.</li>
      </ul>
      <p>
        <code>/healthz</code> says that the process is up, <code>/readyz</code> that its databases answer, <code>/metrics</code> has figures
        for Prometheus.
      </p>
    </>
  ),
}
