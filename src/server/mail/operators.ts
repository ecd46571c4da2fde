import readAddresses from 'nodemailer/lib/addressparser'
import { looksLikeHost } from '../../core/accounts/host-names.ts'
import { pretends } from '../../core/reports/sender-name.ts'
import type { Config } from '../config.ts'

/** Whoever runs this installation. */
export type Operators = {
  /** Whether a name could pass for theirs, or for an email address. */
  arePretended(name: string): boolean
  /** Whether an account's confirmed address is theirs, so that it may use their names. */
  include(person: { email: string; emailVerified: boolean }): boolean
}

function senderOf(mail: Config['mail']): { name: string; address: string } {
  const { name = '', address = '' } = readAddresses(mail?.from ?? '', { flatten: true })[0] ?? {}
  return { name, address }
}

/** The product, the sender of its emails, and their hosts. */
export function operatorNames(mail: Config['mail'], baseUrl: string): string[] {
  const { name, address } = senderOf(mail)
  return ['Ranklark', name, address.split('@')[1] ?? '', new URL(baseUrl).hostname].filter((each) => each !== '')
}

export function operatorsOf({ mail, supportEmail }: Pick<Config, 'mail' | 'supportEmail'>, baseUrl: () => string): Operators {
  const addresses = [senderOf(mail).address, supportEmail ?? ''].filter((each) => each !== '').map((each) => each.toLowerCase())
  return {
    arePretended: (name) => pretends(name, operatorNames(mail, baseUrl())),
    include: ({ email, emailVerified }) => emailVerified && addresses.includes(email.toLowerCase()),
  }
}

/** An account's name as people may see it who have nothing to do with the account; null if it may mislead them (docs/decisions/0087). */
export const nameForStrangers = (username: string | null, operators: readonly string[]): string | null =>
  username === null || looksLikeHost(username) || pretends(username, operators) ? null : username
