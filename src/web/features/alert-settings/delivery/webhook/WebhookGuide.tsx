import { ChevronRight } from 'lucide-react'

const headers = [
  { name: 'webhook-id', text: 'The message ID. It stays the same when a message is resent.' },
  { name: 'webhook-timestamp', text: 'When it was sent, as a Unix timestamp. Reject anything older than five minutes.' },
  { name: 'webhook-signature', text: '“v1,” followed by a Base64 signature. There can be several, separated by spaces.' },
]

/** Everything the receiving side's developer has to know; server/delivery/webhook implements it. */
export function WebhookGuide() {
  return (
    <details className="group border-t border-line pt-3">
      <summary className="flex min-h-10 cursor-pointer list-none items-center gap-2 rounded-control font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 shrink-0 text-muted transition-transform duration-150 group-open:rotate-90" />
        How to verify messages
      </summary>
      <div className="mt-2 flex flex-col gap-3 text-muted">
        <p>
          Each message is a POST with a JSON body and three headers, as defined by{' '}
          <a href="https://www.standardwebhooks.com/" target="_blank" rel="noreferrer" className="text-brand underline">
            Standard Webhooks
          </a>
          . Its libraries verify them for you.
        </p>
        <dl className="flex flex-col gap-2">
          {headers.map(({ name, text }) => (
            <div key={name}>
              <dt>
                <code className="text-text">{name}</code>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <p>
          The signature is the HMAC-SHA256 of the ID, timestamp and body joined by periods, such as{' '}
          <code className="wrap-anywhere text-text">5c1d….1763730000.{'{"type":"alerts",…}'}</code>. The key is your secret: the part after{' '}
          <code className="text-text">whsec_</code>, decoded from Base64.
        </p>
        <p>
          Respond with any 2xx status. Otherwise, we retry for a day with increasing delays. A 410 stops messages for good, and redirects
          aren't followed.
        </p>
      </div>
    </details>
  )
}
