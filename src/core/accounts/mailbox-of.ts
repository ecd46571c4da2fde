const ignoresDots = 'gmail.com'
const otherNames: Readonly<Record<string, string>> = { 'googlemail.com': ignoresDots }

/**
 * The mailbox that an address reaches, as far as its spelling shows: most providers deliver `ann+news@` to `ann@`, and Gmail ignores dots.
 * Only for counting emails and remembering refusals. It proves nothing about who owns an address, and nothing is sent to it.
 */
export function mailboxOf(address: string): string {
  const spelled = address.trim().toLowerCase()
  const at = spelled.lastIndexOf('@')
  if (at < 1) return spelled
  const [local, typed] = [spelled.slice(0, at), spelled.slice(at + 1)]
  const domain = otherNames[typed] ?? typed
  const plus = local.indexOf('+')
  const name = plus > 0 ? local.slice(0, plus) : local
  return `${domain === ignoresDots ? name.replaceAll('.', '') : name}@${domain}`
}
