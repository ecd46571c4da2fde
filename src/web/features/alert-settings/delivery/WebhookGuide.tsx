import { ChevronRight } from 'lucide-react'

const headers = [
  { name: 'webhook-id', text: 'Names the message. It stays the same when a message is sent again.' },
  { name: 'webhook-timestamp', text: 'When it was sent, in seconds since 1970. Refuse what is older than five minutes.' },
  { name: 'webhook-signature', text: '“v1,” and a signature in base64. There may be several, with spaces between.' },
]

/** What whoever writes the other end has to know; server/delivery/webhook does what this says. */
export function WebhookGuide() {
  return (
    <details className="group border-t border-line pt-3">
      <summary className="flex min-h-10 cursor-pointer list-none items-center gap-2 rounded-control font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 shrink-0 text-muted transition-transform duration-150 group-open:rotate-90" />
        How your server knows that a message is ours
      </summary>
      <div className="mt-2 flex flex-col gap-3 text-muted">
        <p>
          Each message is a POST with JSON in its body and three headers, as{' '}
          <a href="https://www.standardwebhooks.com/" target="_blank" rel="noreferrer" className="text-brand underline">
            Standard Webhooks
          </a>{' '}
          has them; its libraries check them for you.
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
          The signature is the HMAC-SHA256 of id, timestamp and body with dots between, such as{' '}
          <code className="wrap-anywhere text-text">5c1d….1763730000.{'{"type":"alerts",…}'}</code>. Its key is your secret: what follows{' '}
          <code className="text-text">whsec_</code>, decoded from base64.
        </p>
        <p>
          Answer with any 2xx. Whatever else happens, the message is sent again for a day with growing pauses; 410 ends it for good, and
          redirects are not followed.
        </p>
      </div>
    </details>
  )
}
