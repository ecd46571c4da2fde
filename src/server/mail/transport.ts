import { createTransport } from 'nodemailer'
import { type Config, isLoopback } from '../config.ts'

/** Idle connections are closed after this time. Servers may take minutes to accept an email (RFC 5321 §4.5.3.2). */
const patience = { connectionTimeout: 30_000, greetingTimeout: 60_000, socketTimeout: 5 * 60_000 }

/** The mail server at an `smtp://` or `smtps://` URL; every email has its own connection. */
export function openTransport({ smtpUrl, mayBeRead }: NonNullable<Config['mail']>) {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  return createTransport({
    host,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    // Emails contain links that open accounts: over smtp:// they leave the machine only after STARTTLS. An eavesdropper could remove the
    // offer of it, so only the operator may allow going on without it.
    requireTLS: !secure && !mayBeRead && !isLoopback(host),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
