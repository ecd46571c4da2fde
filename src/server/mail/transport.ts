import { createTransport } from 'nodemailer'
import { type Config, isLoopback } from '../config.ts'

/** A connection that says nothing for so long is given up. Servers may take minutes to accept a letter (RFC 5321 §4.5.3.2). */
const patience = { connectionTimeout: 30_000, greetingTimeout: 60_000, socketTimeout: 5 * 60_000 }

/** The mail server at an `smtp://` or `smtps://` address; every letter has a connection of its own. */
export function openTransport({ smtpUrl, mayBeRead }: NonNullable<Config['mail']>) {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  return createTransport({
    host,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    // Letters hold links that open accounts: over smtp:// they leave the machine after STARTTLS only. Whoever can read along
    // could leave out the offer of it, so going on without is for whoever runs the installation to allow.
    requireTLS: !secure && !mayBeRead && !isLoopback(host),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
