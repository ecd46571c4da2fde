import type { Config } from '../../config.ts'
import { Refusal } from '../../common/errors.ts'
import { isAmong, isPublicAddress, literalAddress } from '../outbound/addresses.ts'

const field = 'url'
const privateNames = /^[^.]+\.?$|\.(localhost|local|internal|home\.arpa)\.?$/

/**
 * A customer server's URL, as requested. Below port 1024 only https's own is allowed: behind the others are mail servers, shells and the
 * like, which webhooks must not reach. Every request checks where a name resolves to.
 * @throws Refusal 400 saying what is wrong with it
 */
export function checkedWebhookUrl({ privateHosts }: Config['webhooks'], typed: string): string {
  const trimmed = typed.trim()
  if (!URL.canParse(trimmed)) throw refusal('Enter the full URL of your server, such as https://example.com/hooks/ranklark')
  const url = new URL(trimmed)
  url.hash = ''
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refusal('The URL must start with https://')
  if (url.username !== '' || url.password !== '')
    throw refusal('Remove the username and password from the URL. Every request is signed, so your server can verify it.')
  // The operator vouched for it.
  if (isAmong(privateHosts, url)) return url.href
  if (url.protocol !== 'https:') throw refusal('The URL must start with https://, so that messages are encrypted in transit.')
  if (url.port !== '' && Number(url.port) < 1024) throw refusal('The port must be 443, or 1024 or higher.')
  const literal = literalAddress(url)
  if (literal === null ? privateNames.test(url.hostname) : !isPublicAddress(literal)) throw refusal(privateAddress)
  return url.href
}

export const privateAddress =
  'This URL points to a private network or to this server, so nothing is sent to it. Your administrator can allow it with WEBHOOK_PRIVATE_HOSTS.'

/** The part of the URL that may be shown: what follows the host is often a secret. */
export function shownWebhookUrl(address: string): string {
  const { protocol, host, pathname, search } = new URL(address)
  return `${protocol}//${host}${pathname === '/' && search === '' ? '' : '/…'}`
}

const refusal = (message: string): Refusal => new Refusal(400, message, field)
